import type { Addon } from '../../src/kernel/declare/addon.ts';

export const creatives = {
  name: 'creatives',
  openDemo: async () => (await import('./demo.ts')).demoCreatives,
  load: async () => (await import('./module.ts')).creativesModule,
} satisfies Addon;
