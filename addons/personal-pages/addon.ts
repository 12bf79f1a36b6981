import type { Addon } from '../../src/kernel/declare/addon.ts';

export const personalPages = {
  name: 'personal_pages',
  openDemo: async () => (await import('./demo.ts')).demoPages,
  load: async () => (await import('./module.ts')).personalPagesModule,
} satisfies Addon;
