import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { testServer } from '../../../test/postgres/databases.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';
import type { Sent } from './woocommerce/fake-shop.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

/** Fewer on PostgreSQL, where every statement is a round trip. */
const HISTORIES = testServer() === undefined ? 25 : 8;
const CODES = ['ada10', 'five', 'mug2'];

interface StoreApi extends ConnectedStore {
  readonly at: StoreApp;
  readonly receiverUrl: string;
}

/** A site of its own, with the shop connected. */
async function openShop(publicUrl: string): Promise<StoreApi> {
  const at = await StoreApp.open({ config: { publicUrl } });
  for (const code of CODES) await at.coupon(code.toUpperCase());
  fake ??= await FakeWooCommerce.start(at.app.site.clock());
  const given = { kind: 'woocommerce', url: fake.url, credentials: FAKE_KEYS };
  const { body, ...store } = await at.connect(given);
  return { ...store, at, receiverUrl: body.receiver_url };
}

let fake!: FakeWooCommerce;
after(() => fake.close());
/** Gets every delivery in the order in which the shop sends them. */
const inSequence = await openShop('http://127.0.0.1:1');
/** Gets the same deliveries in any order, doubled and with gaps. */
const disturbed = await openShop('http://127.0.0.1:2');

const change = fc.oneof(
  fc.record({
    do: fc.constant('status' as const),
    status: fc.constantFrom(
      'pending',
      'processing',
      'completed',
      'cancelled',
      'refunded',
      'packed',
    ),
  }),
  fc.record({ do: fc.constant('codes' as const), codes: fc.subarray(CODES, { minLength: 1 }) }),
  fc.record({ do: fc.constant('amount' as const), amount: fc.integer({ min: 1, max: 6_000 }) }),
  fc.record({ do: fc.constant('line' as const), quantity: fc.nat(1) }),
  fc.record({
    do: fc.constantFrom('quantity', 'undo refund', 'trash', 'restore', 'nothing' as const),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({
  /** A new order, or a change of the one at this position. */
  order: fc.option(fc.nat(3), { freq: 4 }),
  change,
  codes: fc.subarray(CODES),
  /** Whether the shop's queue runs now; otherwise the next change is merged with this one. */
  sends: fc.boolean(),
});

/** What happens to one delivery. */
const fate = fc.record({ times: fc.nat(2), position: fc.nat(1_000), processes: fc.boolean() });

function apply(id: number, { do: what, ...details }: Change): void {
  const { shop } = fake;
  const { status } = shop.orders.get(id)!;
  if (status === 'trash') return what === 'restore' ? shop.restore(id) : undefined;
  if ('status' in details) shop.setStatus(id, details.status);
  if ('codes' in details) shop.setCodes(id, details.codes);
  if ('amount' in details) shop.refundAmount(id, details.amount);
  if (what === 'line') shop.refundLine(id, details as { quantity: number });
  if (what === 'quantity') shop.setQuantity(id, 4);
  if (what === 'undo refund') shop.deleteRefund(id);
  if (what === 'trash') shop.trash(id);
}

async function send({ receiver, at }: StoreApi, { headers, body }: Sent): Promise<void> {
  const reply = await at.app.call(receiver, { method: 'POST', headers, json: body.toString() });
  assert.equal(reply.status, 200, reply.text);
}

const figures = query<
  { connection_id: number },
  { external_id: string; status: string; refunded: number; coupon_id: number; commission: number }
>((db, p) =>
  db
    .selectFrom('store_orders')
    .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
    .leftJoin('referrals', (join) =>
      join.onRef('referrals.order_id', '=', 'orders.order_id').on('dropped', '=', 0),
    )
    .where('store_orders.connection_id', '=', p.connection_id)
    .select(['store_orders.external_id', 'orders.status', 'orders.total', 'orders.refunded'])
    .select(['referrals.coupon_id', 'referrals.commission', 'referrals.state'])
    .orderBy('store_orders.external_id')
    .orderBy('referrals.coupon_id')
    .$castTo<{
      external_id: string;
      status: string;
      refunded: number;
      coupon_id: number;
      commission: number;
    }>(),
);

const figuresOf = ({ id, at }: StoreApi) =>
  at.app.site.database.read.all(figures, { connection_id: id });

test(`${HISTORIES} histories, disturbed and reconciled, give the same figures as in sequence`, async (t) => {
  let deliveries = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.array(fate, { minLength: 1, maxLength: 20 }),
      async (steps, fates) => {
        const since = new Date(fake.shop.tick()).toISOString();
        const orders: number[] = [];
        const later: { at: number; processes: boolean; sent: Sent }[] = [];
        const runQueue = async () => {
          for (const sent of fake.shop.takeQueue(fake.url)) {
            deliveries += 1;
            if (sent.url === inSequence.receiverUrl) {
              await send(inSequence, sent);
              await inSequence.at.process();
              continue;
            }
            const { times, position, processes } = fates[later.length % fates.length]!;
            for (let i = 0; i < times; i += 1) {
              later.push({ at: (position * (i + 1)) % 997, processes, sent });
            }
          }
        };
        for (const { order, change: wanted, codes, sends } of steps) {
          const known = order === null ? undefined : orders[order];
          if (known === undefined) orders.push(fake.shop.place({ codes }).id);
          else apply(known, wanted);
          if (sends) await runQueue();
        }
        await runQueue();
        for (const { processes, sent } of later.toSorted((a, b) => a.at - b.at)) {
          await send(disturbed, sent);
          if (processes) await disturbed.at.process();
        }
        await disturbed.at.process();
        for (const { id, at } of [inSequence, disturbed]) {
          const reply = await at.post(`/connections/${id}/reconcile`, { since });
          assert.equal(reply.body.complete, true, reply.text);
        }
        const [expected, actual] = [await figuresOf(inSequence), await figuresOf(disturbed)];
        assert.deepEqual(actual, expected);
        for (const id of orders) {
          const { status } = fake.shop.orders.get(id)!;
          const own = { trash: 'cancelled', packed: 'processing' }[status] ?? status;
          const stored = actual.find((row) => row.external_id === String(id));
          assert.equal(stored?.status, own, `order ${id}`);
        }
      },
    ),
    { numRuns: HISTORIES },
  );
  t.diagnostic(`${deliveries} deliveries, ${fake.shop.orders.size} orders`);
});
