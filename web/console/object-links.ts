import type { ConsoleScreenName } from '../../src/shared/console-screens.ts';
import { screens } from './screens.ts';

/** The screen that shows an object, by the kind of its events. */
const screenOf: Readonly<Record<string, ConsoleScreenName>> = {
  affiliate: 'affiliates',
  coupon: 'coupons',
  order: 'orders',
  payout: 'payouts',
  referral: 'orders',
  registration: 'applications',
  webhook: 'webhooks',
};

/** The address of one object; undefined while no screen shows it. */
export function hrefOfObject(kind: string, id: number): string | undefined {
  const screen = screens.find(({ name }) => name === screenOf[kind]);
  if (!screen || id === 0) return undefined;
  return screen.detail ? `${screen.path}/${id}` : screen.path;
}
