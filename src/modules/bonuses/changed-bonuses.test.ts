import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { checkBonuses } from './check-bonuses.ts';

/** Every change of a bonus into every other one, for affiliates who got it before the change and for others. */
const STORE = '/svc/store/v1';
const kinds = ['month', 'quarter', 'year', 'days', 'always'] as const;
const goals = kinds.flatMap((kind) =>
  (['window', 'ever'] as const)
    // A window of the last days never ends.
    .filter((once) => kind !== 'days' || once === 'ever')
    .map((once) => ({ kind, once })),
);
type Goal = (typeof goals)[number] & { readonly at: number };

/** What a change makes of a bonus for 100.00 of sales. */
const changes = goals.flatMap((goal) => [50, 100, 150].map((at): Goal => ({ ...goal, at })));
const wire = ({ kind, once, at }: Goal) => ({
  target: {
    by: 'sales',
    counts: 'counted',
    window: kind === 'days' ? { kind, days: 30 } : { kind },
    at,
  },
  once,
});
const ends = ({ kind }: Goal) => kind === 'month' || kind === 'quarter' || kind === 'year';

async function openStore() {
  const app = await openTestApp({ config: { timezone: 'UTC' } });
  const key = await app.key('admin', 'read,write,manage');
  app.setClock(Date.parse('2026-11-10T12:00:00Z') - app.site.clock());
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, `${path} ${reply.text}`);
    return reply.body;
  };
  let orders = 0;
  return {
    app,
    send,
    async affiliate(code: string): Promise<number> {
      const person = { login: code, email: `${code}@test.example`, display_name: code };
      const { id } = await send('POST', '/affiliates', person);
      await send('POST', '/coupons', { code, user_id: id });
      return id;
    },
    async sell(sales: readonly (readonly [code: string, total: number])[], date: string) {
      const sent = sales.map(([code, total]) => ({
        order_id: (orders += 1),
        date: `${date}T10:00:00`,
        status: 'completed',
        subtotal: total,
        total,
        coupon_codes: [code],
      }));
      const { results } = await send('POST', '/orders/batch', { orders: sent });
      assert.ok(results.every(({ status }: any) => status === 201));
    },
    paid: await paidBy(app, key),
  };
}

/** How often each affiliate has been paid, as the events tell. */
async function paidBy(app: TestApp, key: string) {
  const counts = new Map<number, number>();
  let after = 0;
  return async () => {
    await checkBonuses.run(app.site);
    // Another check follows when every instance knows a changed bonus.
    app.advance(61_000);
    await checkBonuses.run(app.site);
    for (;;) {
      const path = `/events?event=bonus.reached&after=${after}&per_page=100`;
      const { body } = await app.call(path, { key });
      for (const { id, data } of body) {
        counts.set(data.user_id, (counts.get(data.user_id) ?? 0) + 1);
        after = id;
      }
      if (body.length < 100) return counts;
    }
  };
}

for (const { kind, once } of goals) {
  const before: Goal = { kind, once, at: 100 };
  test(`a bonus for a target in ${kind}, paid per ${once}, pays no day again after any change`, async () => {
    const { app, send, affiliate, sell, paid } = await openStore();
    const cases: {
      change: Goal;
      early: string;
      late: string;
      ids: readonly [number, number];
      bonusId: number;
    }[] = [];
    for (const [i, change] of changes.entries()) {
      const [early, late] = [`EARLY${i}`, `LATE${i}`];
      const ids = [await affiliate(early), await affiliate(late)] as const;
      const { id: bonusId } = await send('POST', '/rewards/bonuses', {
        name: `${i}`,
        who: { affiliates: ids },
        ...wire(before),
        pays: { amount: 50 },
      });
      cases.push({ change, early, late, ids, bonusId });
    }
    const change = async (toGoal: (change: Goal) => Goal) => {
      for (const one of cases) {
        await send('PATCH', `/rewards/bonuses/${one.bonusId}`, wire(toGoal(one.change)));
      }
    };
    /** Compares how often the two affiliates of each change were paid. */
    const expect = async (when: string, times: (change: Goal) => readonly [number, number]) => {
      const counts = await paid();
      for (const { change: after, ids } of cases) {
        const got = ids.map((id) => counts.get(id) ?? 0);
        const name = `${when}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;
        assert.deepEqual(got, times(after), name);
      }
    };
    const both = (total: number) =>
      cases.flatMap(({ early, late }) => [[early, total] as const, [late, total] as const]);
    const isSame = (after: Goal) => after.kind === before.kind && after.at === before.at;

    await sell(
      cases.flatMap(({ early, late }) => [[early, 150] as const, [late, 60] as const]),
      '2026-11-10',
    );
    await expect('before the change', () => [1, 0]);
    await change((after) => after);
    // A target with windows that end begins with the next one.
    const atOnce = (after: Goal) => Number(!ends(after) && after.at === 50);
    await expect('after the change', (after) => [1, atOnce(after)]);
    await change(() => before);
    await change((after) => after);
    await expect('after it was undone and made again', (after) => [1, atOnce(after)]);
    await sell(both(100), '2026-11-10');
    const inTime = (after: Goal) => Number(!ends(after) || isSame(after));
    await expect('with more sales in the same window', (after) => [1, inTime(after)]);

    app.setClock(Date.parse('2027-01-05T12:00:00Z') - app.site.clock());
    await sell(both(150), '2027-01-05');
    await expect('with sales in the next window', (after) => {
      const isPaidAgain = ends(after) && after.once === 'window';
      return isPaidAgain ? [2, inTime(after) + 1] : [1, 1];
    });
    await expect('later', (after) => {
      const isPaidAgain = ends(after) && after.once === 'window';
      return isPaidAgain ? [2, inTime(after) + 1] : [1, 1];
    });
  });
}

test('a bonus for a first order that becomes one for a month, and back, is paid for each day once', async () => {
  const { app, send, affiliate, sell, paid } = await openStore();
  const id = await affiliate('FIRST');
  const event = { target: { event: 'first_order' }, once: 'ever' };
  const month = wire({ kind: 'month', once: 'window', at: 100 });
  const bonus = { name: 'First', ...event, pays: { amount: 50 } };
  const { id: bonusId } = await send('POST', '/rewards/bonuses', bonus);
  await sell([['FIRST', 200]], '2026-11-10');
  assert.equal((await paid()).get(id), 1);
  await send('PATCH', `/rewards/bonuses/${bonusId}`, month);
  await sell([['FIRST', 200]], '2026-11-10');
  assert.equal((await paid()).get(id), 1, 'the month of the change');
  app.setClock(Date.parse('2026-12-05T12:00:00Z') - app.site.clock());
  await sell([['FIRST', 200]], '2026-12-05');
  assert.equal((await paid()).get(id), 2, 'the next month');
  await send('PATCH', `/rewards/bonuses/${bonusId}`, event);
  await sell([['FIRST', 200]], '2026-12-06');
  assert.equal((await paid()).get(id), 2, 'once ever, which it was');
});
