import type { Addon } from '../../src/kernel/declare/addon.ts';

export const announcements = {
  name: 'announcements',
  openDemo: async () => (await import('./demo.ts')).demoAnnouncements,
  load: async () => (await import('./module.ts')).announcementsModule,
} satisfies Addon;
