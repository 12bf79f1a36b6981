import type { Addon } from '../../kernel/declare/addon.ts';

export const review = {
  name: 'review',
  load: async () => (await import('./module.ts')).reviewModule,
} satisfies Addon;
