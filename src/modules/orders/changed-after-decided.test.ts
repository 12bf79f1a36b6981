import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { ann, byMaya, byTomas, openStore } from '../../../test/support/two-affiliates.ts';

/** What later versions of orders change about subscriptions, limits and customers, once these were decided. */
const of = (id: string, more: object = {}) => ({ subscription: { id, ...more } });
const renewing = { 'commission.renewals': 'always' };
const first = { ...byMaya, ...of('S', { payment: 1 }) };
const earning = [['maya', 10, 'coupon']];

describe('renewals that have no referral are credited', () => {
  test('when an order that counts already turns out to be their first payment', async () => {
    const { put, earned, at } = await openStore(renewing);
    await put(1, byMaya);
    await put(2, { date: at(30), ...of('S', { renewal: true }) });
    assert.deepEqual(await earned(2), []);
    await put(1, first);
    assert.deepEqual(await earned(2), earning);
  });

  test('when their first payment counts again', async () => {
    const { put, earned, at } = await openStore(renewing);
    await put(1, first);
    await put(1, { ...first, status: 'cancelled' });
    await put(2, { date: at(30), ...of('S', { renewal: true }) });
    assert.deepEqual(await earned(2), []);
    await put(1, first);
    assert.deepEqual(await earned(2), earning);
  });

  test('and not by a first payment that belongs to another subscription now', async () => {
    const { put, earned, at } = await openStore(renewing);
    await put(1, first);
    await put(1, { ...byMaya, ...of('T', { payment: 1 }) });
    await put(2, { date: at(30), ...of('S', { renewal: true }) });
    await put(3, { date: at(30), ...of('T', { renewal: true }) });
    assert.deepEqual([await earned(2), await earned(3)], [[], earning]);
  });
});

describe('a limit of a sum is never exceeded', () => {
  const limit = { amount: 15, per: 'affiliate', window: { kind: 'month' } };
  const half = { refunds: [{ id: 1, amount: 50 }] };

  for (const [name, before] of [
    ['whose refund is undone', () => half],
    ['that grows', () => ({ total: 50 })],
    ['that moves to another month', (later: string) => ({ date: later })],
  ] as const) {
    test(`by an order ${name} after others took the rest`, async () => {
      const { send, put, unpaid, maya, at, verify } = await openStore();
      await send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
      await put(1, byMaya);
      await put(1, { ...byMaya, ...before(at(40)) });
      await put(2, byMaya);
      await put(1, byMaya);
      assert.equal(await unpaid(maya), 15);
      await verify();
    });
  }

  test('by the coupons of one order', async () => {
    const { send, put, earned } = await openStore();
    const perCustomer = { ...limit, per: 'customer' };
    await send('POST', '/rewards/rules', { rate: { percent: 10 }, limit: perCustomer });
    await put(1, { ...ann, coupon_codes: ['TOM5', 'MAYA10'] });
    assert.deepEqual(await earned(1), [...earning, ['tomas', 5, 'coupon']]);
  });

  const version = fc.record({
    order: fc.integer({ min: 1, max: 5 }),
    status: fc.constantFrom('completed', 'completed', 'processing', 'pending', 'cancelled'),
    total: fc.integer({ min: 10, max: 300 }),
    refund: fc.constantFrom(0, 0, 0.4, 1),
    days: fc.constantFrom(0, 0, 40),
    code: fc.constantFrom('MAYA10', 'MORE'),
  });

  test('by any versions of orders', async () => {
    const { send, put, order } = await openStore();
    await send('POST', '/coupons', { code: 'MORE', user_id: idOf('maya') });
    for (const { per, email } of [
      { per: 'affiliate', email: 'a' },
      { per: 'customer', email: 'b' },
    ]) {
      const rule = await send('POST', '/rewards/rules', {
        rate: { percent: 10 },
        limit: { ...limit, per },
      });
      let from = per === 'affiliate' ? 0 : 1_000;
      await fc.assert(
        fc.asyncProperty(fc.array(version, { minLength: 5, maxLength: 15 }), async (versions) => {
          from += 10;
          // Each history has months of its own.
          const month = new Date(Date.UTC(2024, 2 * ((from % 1_000) / 10), 3));
          const dateOf = (days: number) =>
            new Date(month.getTime() + days * 86_400_000).toISOString().slice(0, 19);
          const earned = new Map<number, [number, number]>();
          for (const { order: n, status, total, refund, days, code } of versions) {
            const refunds = refund === 0 ? [] : [{ id: 1, amount: Math.round(total * refund) }];
            const customer = { email: `${email}${from}@shop.example` };
            const json = { status, total, refunds, coupon_codes: [code], customer };
            const referrals = await put(from + n, order({ ...json, date: dateOf(days) }));
            const sum = referrals.reduce((all, { commission }) => all + commission, 0);
            earned.set(n, [days, sum]);
            for (const each of [0, 40]) {
              const ofMonth = [...earned.values()].filter(([when]) => when === each);
              const all = ofMonth.reduce((total_, [, one]) => total_ + one, 0);
              assert.ok(all <= 15.000_001, `${all} in a month`);
            }
          }
        }),
        { numRuns: 15 },
      );
      await send('DELETE', `/rewards/rules/${rule.id}`);
    }
  });
});

describe('customers', () => {
  test('whom the team gave to an affiliate stay, though earlier orders come in while none stays', async () => {
    const { app, put, earned, send, at } = await openStore();
    await put(1, { ...byTomas, ...ann });
    await send('PUT', '/orders/1/customer', { user_id: idOf('maya') });
    await put(2, { ...byTomas, ...ann, date: at(-30) });
    await app.set({ 'attribution.lifetime': true });
    await put(3, { ...ann, date: at(1) });
    assert.deepEqual(await earned(3), [['maya', 10, 'lifetime']]);
  });
});
