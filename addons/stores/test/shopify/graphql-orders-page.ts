import assert from 'node:assert/strict';
import { isoSecond, type FakeOrder } from './fake-orders.ts';
import { sizeOf } from './graphql-connection.ts';

export interface OrdersPage {
  readonly first: number;
  readonly after?: string | null;
  readonly query: string;
  readonly sortKey: string;
}

/** What the search `updated_at:>=…` finds, the oldest change first. */
export function changedSince(orders: readonly FakeOrder[], query: string): FakeOrder[] {
  const [, since] = /^updated_at:>='([\dT:-]+Z)'$/.exec(query) ?? [];
  assert.ok(since, query);
  return orders
    .filter(({ updatedMs }) => isoSecond(updatedMs) >= since)
    .sort((a, b) => a.updatedMs - b.updatedMs || a.id - b.id);
}

/** A cursor is the change and the id of an order, so that one that changes between two pages is listed again. */
export function pageOfOrders(
  orders: readonly FakeOrder[],
  { first, after, query, sortKey }: OrdersPage,
  sizeMax: number,
  nodeOf: (order: FakeOrder) => object,
): object {
  assert.equal(sortKey, 'UPDATED_AT');
  const [sinceMs, afterId] = after ? after.split('.').map(Number) : [0, 0];
  const left = changedSince(orders, query).filter(
    ({ id, updatedMs }) => updatedMs > sinceMs! || (updatedMs === sinceMs && id > afterId!),
  );
  const listed = left.slice(0, Math.min(sizeOf(first), sizeMax));
  return {
    edges: listed.map((order) => ({
      cursor: `${order.updatedMs}.${order.id}`,
      node: nodeOf(order),
    })),
    pageInfo: { hasNextPage: left.length > listed.length },
  };
}
