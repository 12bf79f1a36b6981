import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import type { SubscriptionPayment } from '../../mapping/subscription.ts';

/** Orders that Shopify itself makes for a contract have this source. */
const RENEWAL_SOURCE = 'subscription_contract';
/** Under these names apps for subscriptions note the contract with an order or a line. */
const ID_NAMES = new Set(['subscription_contract_id', 'subscription_id', 'contract_id']);

/**
 * The payment of a subscription that an order is. Shopify shows the contract only to the app that made it, so its id is
 * what that app notes with the order, or else the selling plan together with the customer, which all payments share.
 */
export function paymentOf(order: Json): SubscriptionPayment | undefined {
  const isRenewal = order['source_name'] === RENEWAL_SOURCE;
  const named = notedId(order) ?? planOf(order);
  if (named === undefined && !isRenewal) return undefined;
  // A renewal of a contract that nothing names is a renewal all the same: of a subscription of its own.
  const id = named ?? `order-${textOf(order['id']) ?? ''}`;
  return { id, isFirst: !isRenewal, paidAt: 0, beganAt: 0, trialEnd: 0 };
}

function notedId(order: Json): string | undefined {
  const lines = objectsOf(order['line_items']);
  const noted = [order['note_attributes'], ...lines.map((line) => line['properties'])];
  const found = noted
    .flatMap(objectsOf)
    .find(({ name }) => ID_NAMES.has((textOf(name) ?? '').toLowerCase().replace(/^_+/, '')));
  // Such as gid://shopify/SubscriptionContract/42.
  return textOf(found?.['value'])?.replace(/^gid:\/\/shopify\/SubscriptionContract\//, '');
}

function planOf(order: Json): string | undefined {
  const customer = textOf(objectOf(order['customer'])['id']);
  const plan = objectsOf(order['line_items'])
    .map((line) => objectOf(objectOf(line['selling_plan_allocation'])['selling_plan']))
    // Selling plans are also for orders in advance, which nothing renews.
    .filter(({ recurring_deliveries }) => recurring_deliveries !== false)
    .map(({ id }) => textOf(id))
    .find((id) => id !== undefined);
  return plan === undefined || customer === undefined ? undefined : `plan-${plan}-${customer}`;
}
