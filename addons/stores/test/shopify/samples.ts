import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Mapped, MappingContext, StoreOrder } from '../../connectors/connector.ts';
import { shopify } from '../../connectors/shopify/connector.ts';

const context: MappingContext = {
  canAsk: true,
  isComplete: false,
  codeParameters: ['ref', 'via'],
  settings: {},
  currency: 'USD',
};

/** A payload as Shopify sends it. */
export const sample = (name: string): any =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
/** Two tents and a mat with a code, paid in dollars. */
export const paid = sample('order-paid');
/** One of the tents came back. */
export const refund = sample('refund');
/** A tent at a price with tax, by a customer who paid in another currency. */
export const inclusive = sample('order-tax-included');

export function map(payload: unknown, topic = 'orders/updated', change = {}): Mapped {
  return shopify.toOrder(payload, { ...context, ...change }, topic);
}

export function orderOf(payload: unknown): StoreOrder {
  const mapped = map(payload);
  assert.equal(mapped.result, 'order', JSON.stringify(mapped));
  return (mapped as { order: StoreOrder }).order;
}
