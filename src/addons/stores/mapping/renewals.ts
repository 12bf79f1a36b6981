import Type from 'typebox';
import { defineSetting } from '../../../kernel/declare/setting.ts';
import type { Mapped, MappingContext, StoreOrder } from '../connectors/connector.ts';
import { isAfterTrial, type SubscriptionPayment } from './subscription.ts';

/** Which payments of a subscription earn: the first one, all, or those of so many months. */
const RenewalRule = Type.String({ pattern: '^(once|always|[1-9][0-9]{0,2})$' });

export const wooRenewals = defineSetting(
  'stores.woocommerce.renewals',
  RenewalRule,
  'once',
  'Which payments of a subscription of WooCommerce Subscriptions earn commission: "once" for the first one only, ' +
    '"always" for all, or a number of months, such as 12, which needs a key. A change applies to orders from then on.',
);

export const stripeRenewals = defineSetting(
  'stores.stripe.renewals',
  RenewalRule,
  'once',
  'Which payments of a Stripe subscription earn commission: "once" for the first one only, "always" for all, or a ' +
    'number of months, such as 12. A change applies to payments from then on.',
);

/** An order, unless it is a renewal that earns nothing by the setting of its kind of store. */
export function orderUnlessRenewal(
  order: StoreOrder,
  payment: SubscriptionPayment | undefined,
  { settings }: MappingContext,
): Mapped {
  const reason = payment && whyNotEarning(settings['renewals'], payment);
  return reason === undefined
    ? { result: 'order', order }
    : { result: 'ignored', reason, ifKnown: order };
}

function whyNotEarning(setting: unknown, payment: SubscriptionPayment): string | undefined {
  const rule = String(setting ?? 'once');
  if (rule === 'always' || payment.isFirst || isAfterTrial(payment)) return undefined;
  if (rule === 'once') return 'Renewals earn no commission by the setting for renewals.';
  const begin = payment.trialEnd || payment.beganAt;
  const months = Number(rule);
  if (begin === 0) return 'When the subscription began is not known, so its renewals earn nothing.';
  if (payment.paidAt < monthsAfter(begin, months)) return undefined;
  return `Renewals earn commission for ${months} months by the setting for renewals.`;
}

/** A month that is too short ends on its last day. */
function monthsAfter(seconds: number, months: number): number {
  const begin = new Date(seconds * 1_000);
  const then = new Date(begin);
  then.setUTCMonth(begin.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(begin.getUTCDate(), lastDay));
  return then.getTime() / 1_000;
}
