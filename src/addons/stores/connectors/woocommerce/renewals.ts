import { defineSetting } from '../../../../kernel/declare/setting.ts';
import type { MappingContext } from '../connector.ts';
import { RenewalRule, whyRenewalEarnsNothing } from '../../mapping/renewals.ts';
import { isObject, type Json } from '../../mapping/payload.ts';
import { idIn, instantIn, metaIn } from './payload.ts';

export const wooRenewals = defineSetting(
  'stores.woocommerce.renewals',
  RenewalRule,
  'once',
  'Which payments of a subscription of WooCommerce Subscriptions earn commission: "once" for the first one only, ' +
    '"always" for all, or a number of months, such as 12, which needs a key. A change applies to orders from then on.',
);

/** Where `fetchOrder` puts the subscription that an order renews. */
const SUBSCRIPTION = 'tributary_subscription';

/** WooCommerce Subscriptions notes the subscription with each order that renews it. */
export function renewedSubscription(order: Json): string | undefined {
  const id = metaIn(order, '_subscription_renewal');
  return idIn({ id }) ?? (order['created_via'] === 'subscription' ? 'unknown' : undefined);
}

export function withSubscription(order: Json, subscription: Json | undefined): Json {
  return { ...order, [SUBSCRIPTION]: subscription ?? null };
}

/** Whether the subscription must be read to know whether the renewal earns. */
export function needsSubscription(order: Json, { settings }: MappingContext): boolean {
  const id = renewedSubscription(order);
  const isKnown = order[SUBSCRIPTION] !== undefined;
  return id !== undefined && id !== 'unknown' && settings['renewals'] !== 'always' && !isKnown;
}

/** Why an order that renews a subscription earns nothing; undefined if it earns, and for every other order. */
export function whyNotEarning(order: Json, { settings }: MappingContext): string | undefined {
  if (renewedSubscription(order) === undefined) return undefined;
  const found = order[SUBSCRIPTION];
  const subscription = isObject(found) ? found : {};
  const secondsIn = (fields: Json, name: string) =>
    Date.parse(instantIn(fields, name) ?? '') / 1_000 || 0;
  return whyRenewalEarnsNothing(settings['renewals'], {
    paidAt: secondsIn(order, 'date_created_gmt'),
    beganAt: secondsIn(subscription, 'start_date_gmt'),
    trialEnd: secondsIn(subscription, 'trial_end_date_gmt'),
  });
}
