/** The screens of the console in the order of its navigation and of their tabs, each a folder of `web/console`. */
export const consoleScreens = [
  'overview',
  'payouts',
  'applications',
  'review',
  'messages',
  'affiliates',
  'orders',
  'rewards',
  'coupons',
  'creatives',
  'personal-pages',
  'announcements',
  'reports',
  'clicks',
  'stores',
  'settings',
  'mails',
  'outbox',
  'team',
  'keys',
  'webhooks',
  'imports',
  'add-ons',
  'activity',
] as const;

export type ConsoleScreenName = (typeof consoleScreens)[number];
