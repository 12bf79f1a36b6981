import Type from 'typebox';
import { defineSetting } from '../../../kernel/declare/setting.ts';
import type { MappingContext } from '../connector.ts';
import { objectOf, type Json } from '../mapping/payload.ts';

const DAY_S = 24 * 60 * 60;

export const stripeRenewals = defineSetting(
  'stores.stripe.renewals',
  Type.String({ pattern: '^(once|always|[1-9][0-9]{0,2})$' }),
  'once',
  'Which payments of a Stripe subscription earn commission: "once" for the first one only, "always" for all, or a ' +
    'number of months, such as 12. A change applies to payments from then on.',
);

/** Why a payment of a subscription earns nothing; undefined if it earns. */
export function whyNotEarning(
  invoice: Json,
  subscription: Json | null,
  { settings }: MappingContext,
): string | undefined {
  const isFirst = invoice['billing_reason'] === 'subscription_create';
  if (subscription === null || isFirst) return undefined;
  const rule = String(settings['renewals'] ?? 'once');
  if (rule === 'always') return undefined;
  const paidAt = secondsOf(invoice['created']);
  const trialEnd = secondsOf(subscription['trial_end']);
  // The payment at the end of a free trial is the first one.
  if (trialEnd > 0 && paidAt <= trialEnd + DAY_S) return undefined;
  if (rule === 'once') return 'Renewals earn no commission by the setting for renewals.';
  const begin = trialEnd || secondsOf(subscription['start_date']);
  const months = Number(rule);
  if (paidAt < monthsAfter(begin, months)) return undefined;
  return `Renewals earn commission for ${months} months by the setting for renewals.`;
}

/** Like Stripe, which renews on the last day of a month that is too short. */
function monthsAfter(seconds: number, months: number): number {
  const begin = new Date(seconds * 1_000);
  const then = new Date(begin);
  then.setUTCMonth(begin.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(begin.getUTCDate(), lastDay));
  return then.getTime() / 1_000;
}

/** The end of the year 9999. */
const SECONDS_MAX = 253_402_300_799;

/** A time of Stripe; 0 if there is none. */
export function secondsOf(value: unknown): number {
  const isTime = Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= SECONDS_MAX;
  return isTime ? Number(value) : 0;
}

/** The subscription of an invoice, as Stripe has it since 2025. */
export function subscriptionOf(invoice: Json): unknown {
  return objectOf(objectOf(invoice['parent'])['subscription_details'])['subscription'];
}
