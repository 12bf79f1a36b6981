import type { Addon } from '../../kernel/declare/addon.ts';

export const personalPages = {
  name: 'personal_pages',
  load: async () => (await import('./module.ts')).personalPagesModule,
} satisfies Addon;
