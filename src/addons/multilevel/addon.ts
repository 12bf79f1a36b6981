import type { Addon } from '../../kernel/declare/addon.ts';

export const multilevel = {
  name: 'multilevel',
  load: async () => (await import('./module.ts')).multilevelModule,
} satisfies Addon;
