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
  store_connection: 'stores',
  webhook: 'webhooks',
};

/** Screens that show one object in a dialog above their list: the name of its id in the query. */
const dialogOf: Readonly<Record<string, string>> = { coupons: 'coupon' };

/** The address of one object; undefined while no screen shows it. */
export function hrefOfObject(kind: string, id: number): string | undefined {
  const screen = screens.find(({ name }) => name === screenOf[kind]);
  if (!screen || id === 0) return undefined;
  if (screen.detail) return `${screen.path}/${id}`;
  const dialog = dialogOf[screen.name];
  return dialog === undefined ? screen.path : `${screen.path}?${dialog}=${id}`;
}
