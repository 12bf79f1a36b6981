import assert from 'node:assert/strict';
import { query } from '../../../src/db/statements/query.ts';
import type { Reply } from '../../../test/support/harness.ts';
import type { RawDelivery } from '../connectors/connector.ts';
import type { ConnectedStore, StoreApp } from './store-app.ts';

const numbers = query<{ connection_id: number }, { external_id: string; order_id: number }>(
  (db, p) =>
    db
      .selectFrom('store_orders')
      .select(['external_id', 'order_id'])
      .where('connection_id', '=', p.connection_id),
);

/** Sends a delivery to the receiver of a connection. */
export function send(
  stores: StoreApp,
  { receiver }: ConnectedStore,
  { headers, body }: RawDelivery,
): Promise<Reply> {
  const json = body.toString();
  return stores.app.call(receiver, { method: 'POST', json, headers: { ...headers } });
}

/** The orders of a connection by the store's ids, as far as two connections of one store must agree. */
export async function figuresOf(
  stores: StoreApp,
  { id }: Pick<ConnectedStore, 'id'>,
  /** Orders that are left out. */
  before: ReadonlySet<string> = new Set(),
): Promise<Record<string, unknown>> {
  const rows = await stores.app.site.database.read.all(numbers, { connection_id: id });
  const figures: Record<string, unknown> = {};
  for (const { external_id, order_id } of rows.sort((a, b) =>
    a.external_id < b.external_id ? -1 : 1,
  )) {
    if (before.has(external_id)) continue;
    const { status, total, refunded, referrals } = await stores.order(order_id);
    const earned = referrals.map(({ coupon_id, commission, state }: any) => ({
      coupon_id,
      commission,
      state,
    }));
    figures[external_id] = { status, total, refunded, earned };
  }
  return figures;
}

export async function idsOf(
  stores: StoreApp,
  { id: connection_id }: Pick<ConnectedStore, 'id'>,
): Promise<Set<string>> {
  const rows = await stores.app.site.database.read.all(numbers, { connection_id });
  return new Set(rows.map(({ external_id }) => external_id));
}

const ROUNDS_MAX = 10;

/** Processes what has arrived, also what waits because the store did not answer. */
export async function settle(stores: StoreApp): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (round > 0) stores.app.advance(60 * 60_000);
    await stores.process();
    const { body } = await stores.get('/connections');
    const waiting = await Promise.all(
      body.map(({ id }: { id: number }) => stores.deliveries(id, '&state=received')),
    );
    if (waiting.every((list) => list.length === 0)) return;
  }
  assert.fail('Deliveries wait for ever.');
}

export async function reconcile(
  stores: StoreApp,
  { id }: ConnectedStore,
  since: number,
): Promise<any> {
  const reply = await stores.post(`/connections/${id}/reconcile`, {
    since: new Date(since).toISOString(),
  });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.complete, true);
  return reply.body;
}

export async function assertBalanced(stores: StoreApp): Promise<void> {
  const { body } = await stores.get('/ledger/verify');
  assert.deepEqual(body.differences, []);
}
