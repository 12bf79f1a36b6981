import type { Addon } from '../../kernel/declare/addon.ts';

export const personalPages = {
  name: 'personal_pages',
  openDemo: async () => (await import('./demo-pages.ts')).demoPages,
  load: async () => (await import('./module.ts')).personalPagesModule,
} satisfies Addon;
