/** The screens of the console in the order of its navigation, each a folder of `web/console`. */
export const consoleScreens = [
  'overview',
  'affiliates',
  'coupons',
  'creatives',
  'personal-pages',
  'rewards',
  'orders',
  'payouts',
  'review',
  'applications',
  'messages',
  'announcements',
  'reports',
  'clicks',
  'activity',
  'stores',
  'webhooks',
  'keys',
  'team',
  'settings',
  'mails',
  'outbox',
  'imports',
  'add-ons',
] as const;

export type ConsoleScreenName = (typeof consoleScreens)[number];
