import { isObject, type Json } from '../../mapping/payload.ts';
import type { SubscriptionPayment } from '../../mapping/subscription.ts';
import { idIn, instantIn, metaIn } from './payload.ts';

/** Where `fetchOrder` puts the subscription that an order renews. */
const SUBSCRIPTION = 'tributary_subscription';

/** WooCommerce Subscriptions notes the subscription with each order that renews it. */
export function renewedSubscription(order: Json): string | undefined {
  return idIn({ id: metaIn(order, '_subscription_renewal') });
}

export function withSubscription(order: Json, subscription: Json | undefined): Json {
  return { ...order, [SUBSCRIPTION]: subscription ?? null };
}

/** Whether the order renews a subscription that must be read to know when it began. */
export function lacksSubscription(order: Json): boolean {
  return renewedSubscription(order) !== undefined && order[SUBSCRIPTION] === undefined;
}

/** The renewal that an order is; undefined for every other order. */
export function renewalOf(order: Json): SubscriptionPayment | undefined {
  const id = renewedSubscription(order);
  if (id === undefined && order['created_via'] !== 'subscription') return undefined;
  const found = order[SUBSCRIPTION];
  const subscription = isObject(found) ? found : {};
  return {
    // Orders and subscriptions are numbered together, so the order's own number is that of no other subscription.
    id: id ?? idIn(order),
    isFirst: false,
    paidAt: secondsIn(order, 'date_created_gmt'),
    beganAt: secondsIn(subscription, 'start_date_gmt'),
    trialEnd: secondsIn(subscription, 'trial_end_date_gmt'),
  };
}

/** The order that began the renewed subscription; in its own payload nothing says so. */
export function firstOrderOf(order: Json): { firstOrder?: string } {
  const found = order[SUBSCRIPTION];
  const id = isObject(found) ? idIn(found, 'parent_id') : undefined;
  return id === undefined ? {} : { firstOrder: id };
}

/**
 * Whether the subscription of the order is as it was: the shop does not show the one that it renews, or the order began
 * one, which only its renewals say.
 */
export function hidesSubscription(order: Json): boolean {
  return order[SUBSCRIPTION] === null || renewalOf(order) === undefined;
}

function secondsIn(fields: Json, name: string): number {
  return Date.parse(instantIn(fields, name) ?? '') / 1_000 || 0;
}
