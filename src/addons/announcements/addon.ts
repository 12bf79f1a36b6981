import type { Addon } from '../../kernel/declare/addon.ts';

export const announcements = {
  name: 'announcements',
  openDemo: async () => (await import('./demo-announcements.ts')).demoAnnouncements,
  load: async () => (await import('./module.ts')).announcementsModule,
} satisfies Addon;
