import { objectOf, type Json } from '../../mapping/payload.ts';
import type { SubscriptionPayment } from '../../mapping/subscription.ts';
import { idOf, type Purchase } from './purchase.ts';

/** The payment of a subscription that a purchase is; undefined for every other purchase. */
export function paymentOf({
  invoice,
  subscription,
  session,
}: Purchase): SubscriptionPayment | undefined {
  // Without access to Stripe only the session is known, which begins the subscription.
  const id = idOf(invoice ? subscription : session?.['subscription']);
  if (id === undefined) return undefined;
  return {
    id,
    isFirst: !invoice || invoice['billing_reason'] === 'subscription_create',
    paidAt: secondsOf((invoice ?? session)?.['created']),
    beganAt: secondsOf(subscription?.['start_date']),
    trialEnd: secondsOf(subscription?.['trial_end']),
  };
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
