import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsOf } from '../../bench/recorded.ts';
import { idOf, openTestApp } from '../support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

async function send(path: string, json: unknown): Promise<void> {
  const reply = await app.call(`/svc/store/v1${path}`, { method: 'POST', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
}

const batchOf = (status: string) => ({
  orders: [1, 2, 3].map((order_id) => ({
    order_id,
    date: '2026-04-01T10:00:00Z',
    status,
    total: 10,
    coupon_codes: ['MAYA10'],
    customer: { email: `c${order_id % 2}@shoppers.example` },
  })),
});

/**
 * A condition on a list parses it for each row that it looks at. Where a statement goes through given rows and looks
 * for others of each, that is the length of the batch squared: 1,000 orders took half as much again. A subquery runs once.
 */
test('no statement of a batch of orders parses a list for each of its orders', async () => {
  await send('/coupons', { code: 'MAYA10', user_id: idOf('maya') });
  // The first asks whether a customer has ordered before, the second how often and since when.
  await send('/rewards/rules', { order: { customer: 'first' }, rate: { percent: 12 } });
  await send('/rewards/rules', { rate: { percent: 11 }, limit: { payments: 3 } });
  const statements = await statementsOf(async () => {
    for (const status of ['pending', 'completed']) await send('/orders/batch', batchOf(status));
  });
  const withRows = statements.map(({ sql }) => sql).filter((sql) => sql.includes(') as given'));
  assert.ok(withRows.some((sql) => sql.includes('earlier')));
  assert.deepEqual(
    withRows.filter((sql) => sql.includes('translate(')),
    [],
  );
});
