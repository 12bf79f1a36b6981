import type { Addon } from '../../kernel/declare/addon.ts';

export const creatives = {
  name: 'creatives',
  load: async () => (await import('./module.ts')).creativesModule,
} satisfies Addon;
