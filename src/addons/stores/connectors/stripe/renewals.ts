import { defineSetting } from '../../../../kernel/declare/setting.ts';
import type { MappingContext } from '../connector.ts';
import { objectOf, type Json } from '../../mapping/payload.ts';
import { RenewalRule, whyRenewalEarnsNothing } from '../../mapping/renewals.ts';

export const stripeRenewals = defineSetting(
  'stores.stripe.renewals',
  RenewalRule,
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
  return whyRenewalEarnsNothing(settings['renewals'], {
    paidAt: secondsOf(invoice['created']),
    beganAt: secondsOf(subscription['start_date']),
    trialEnd: secondsOf(subscription['trial_end']),
  });
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
