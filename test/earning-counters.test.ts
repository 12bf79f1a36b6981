import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from './postgres/databases.ts';
import { openTestApp } from './support/harness.ts';
import { holding } from './support/hold-order.ts';
import { fc } from './support/seeded-random.ts';

/**
 * What bonuses and steps count is what the orders that can earn have brought: an own order, or one that was rejected,
 * adds nothing in any status, and what becomes of it later takes nothing away.
 */
const STORE = '/svc/store/v1';
const RUNS = testServer() === undefined ? 20 : 6;
const ORDERS = 5;

const app = await openTestApp({
  config: { timezone: 'UTC' },
  settings: { 'commission.percent': 10, 'commission.delay_days': 0 },
});
const key = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
  assert.ok(reply.status < 300, `${path} ${reply.text}`);
  return reply.body;
};
app.setClock(Date.parse('2026-11-10T12:00:00Z') - app.site.clock());
await send(...holding('gone.example'));

const counters = ['orders', 'sales', 'commission', 'new_customers'] as const;
const kinds = ['counted', 'granted'] as const;
for (const by of counters) {
  for (const counts of kinds) {
    await send('POST', '/rewards/bonuses', {
      name: `${by} ${counts}`,
      target: { by, counts, window: { kind: 'month' }, at: 1_000_000 },
      pays: { amount: 1 },
    });
  }
}

const step = fc.record({
  order: fc.nat(ORDERS - 1),
  total: fc.integer({ min: 1, max: 500 }),
  refund: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(500)),
  status: fc.constantFrom('processing', 'completed', 'completed', 'cancelled', 'failed'),
});
/** Whose each order is. Those of a throw-away mailbox are rejected once they are found. */
const owners = fc.array(fc.constantFrom('customer', 'customer', 'self', 'rejected'), {
  minLength: ORDERS,
  maxLength: ORDERS,
});
let runs = 0;

test('bonuses count what orders have brought that can earn, whatever becomes of the others', async () => {
  await fc.assert(
    fc.asyncProperty(
      owners,
      fc.array(step, { minLength: 4, maxLength: 12 }),
      async (whose, steps) => {
        const run = ++runs;
        const email = `person${run}@test.example`;
        const { id } = await send('POST', '/affiliates', { login: `person${run}`, email });
        await send('POST', '/coupons', { code: `P${run}`, user_id: id });
        const values = async () => {
          const { bonuses } = await send('GET', `/affiliates/${id}/rewards`);
          return bonuses.map(({ value }: { value: number }) => Math.round(value * 100));
        };
        const orders = new Map<number, { status: string; cents: number }>();
        for (const { order, total, refund, status } of steps) {
          const owner = whose[order]!;
          const domain = owner === 'rejected' ? 'gone.example' : 'shop.example';
          const back = Math.min(refund, total);
          orders.set(order, { status, cents: (total - back) * 100 });
          await send('PUT', `/orders/${run * 10 + order}`, {
            date: '2026-11-10T10:00:00',
            status,
            subtotal: total,
            total,
            coupon_codes: [`P${run}`],
            customer: { email: owner === 'self' ? email : `c${run}x${order}@${domain}` },
            refunds: back === 0 ? [] : [{ id: 1, amount: back }],
          });
          for (const { id: caseId } of await send('GET', '/cases?state=open')) {
            await send('POST', `/cases/${caseId}/decide`, { decision: 'reject' });
          }
          const earning = (statuses: readonly string[]) =>
            [...orders].filter(
              ([n, one]) => whose[n] === 'customer' && statuses.includes(one.status),
            );
          const expected = counters.flatMap((by) =>
            kinds.map((counts) => {
              const found = earning(
                counts === 'granted' ? ['completed'] : ['completed', 'processing'],
              );
              const sales = found.reduce((sum, [, { cents }]) => sum + cents, 0);
              if (by === 'sales') return sales;
              return by === 'commission' ? sales / 10 : found.length * 100;
            }),
          );
          assert.deepEqual(await values(), expected, JSON.stringify({ whose, status, order }));
        }
      },
    ),
    { numRuns: RUNS },
  );
});
