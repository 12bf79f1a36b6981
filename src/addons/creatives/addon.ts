import type { Addon } from '../../kernel/declare/addon.ts';

export const creatives = {
  name: 'creatives',
  openDemo: async () => (await import('./demo-creatives.ts')).demoCreatives,
  load: async () => (await import('./module.ts')).creativesModule,
} satisfies Addon;
