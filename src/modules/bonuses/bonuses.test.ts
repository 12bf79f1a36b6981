import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { checkBonuses } from './check-bonuses.ts';

const STORE = '/svc/store/v1';

/** A store with affiliates, orders and bonuses, with a clock of its own. */
async function openStore({ now = '2026-11-10T12:00:00Z', timezone = 'UTC', delayDays = 0 } = {}) {
  const app = await openTestApp({
    config: { timezone },
    settings: { 'commission.percent': 10, 'commission.delay_days': delayDays },
  });
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  app.setClock(Date.parse(now) - app.site.clock());
  let people = 0;
  const entries = async (couponId: number) =>
    (await send('GET', `/coupons/${couponId}/ledger?per_page=100`))
      .filter((entry: any) => entry.kind === 'bonus')
      .toReversed();
  return {
    app,
    key,
    send,
    entries,
    run: () => checkBonuses.run(app.site),
    async affiliate(codes = 1) {
      const login = `person${++people}`;
      const { id } = await send('POST', '/affiliates', {
        login,
        email: `${login}@test.example`,
        display_name: login,
      });
      const coupons: { id: number; code: string }[] = [];
      for (let n = 1; n <= codes; n += 1) {
        coupons.push(await send('POST', '/coupons', { code: `P${people}C${n}`, user_id: id }));
      }
      return { id: id as number, coupons };
    },
    bonus: (more: object = {}) =>
      send('POST', '/rewards/bonuses', {
        name: 'Autumn',
        target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 },
        pays: { amount: 50 },
        ...more,
      }),
    order: (id: number, code: string, total: number, more: object = {}) =>
      send('PUT', `/orders/${id}`, {
        date: '2026-11-10T10:00:00',
        status: 'completed',
        subtotal: total,
        total,
        coupon_codes: [code],
        ...more,
      }),
    /** The amounts that bonuses have brought a coupon, and where they are. */
    async balance(couponId: number) {
      const moved = { awaiting: 0, unpaid: 0 } as Record<string, number>;
      for (const { from, to, amount } of await entries(couponId)) {
        if (from !== 'earned') moved[from]! -= amount;
        moved[to]! += amount;
      }
      return moved;
    },
    async verify() {
      const { ok, differences } = await send('GET', '/ledger/verify');
      assert.ok(ok, JSON.stringify(differences));
    },
  };
}

test('GET /ledger/verify compares the payments of bonuses with the ledger', async () => {
  const store = await openStore({ delayDays: 14 });
  const target = { by: 'sales', counts: 'counted', window: { kind: 'month' }, at: 1000 };
  await store.bonus({ target });
  const { id: affiliate_id, coupons } = await store.affiliate();
  const { id: coupon_id, code } = coupons[0]!;
  await store.order(1, code, 1000);
  await store.run();
  const differences = async () => (await store.send('GET', '/ledger/verify')).differences;
  const change = (set: string) =>
    store.app.site.database.transaction((tx) => tx.execute(`update bonus_payments set ${set}`));
  assert.deepEqual(await differences(), []);
  await change('amount = 4000');
  const common = { coupon_id, affiliate_id, payout_id: null, from: 'bonuses' };
  assert.deepEqual(await differences(), [
    { ...common, pool: 'awaiting', stored: 50, recomputed: 40 },
  ]);
  await change("amount = 5000, state = 'granted'");
  assert.deepEqual(await differences(), [
    { ...common, pool: 'awaiting', stored: 50, recomputed: 0 },
    { ...common, pool: 'unpaid', stored: 0, recomputed: 50 },
  ]);
  await change("state = 'held'");
  store.app.advance(15 * DAY_MS);
  await store.run();
  assert.deepEqual(await differences(), [], 'after it was granted');
});

test('the overview counts the bonuses that were reached on the days of its period', async () => {
  const store = await openStore({ delayDays: 14 });
  const reached = async (from: string, to: string) => {
    const { period } = await store.send('GET', `/overview?from=${from}&to=${to}`);
    return [period.figures.bonuses, period.figures.bonus_amount];
  };
  await store.bonus({
    target: { by: 'sales', counts: 'counted', window: { kind: 'month' }, at: 1000 },
  });
  const [one, two] = [await store.affiliate(), await store.affiliate()];
  await store.order(1, one.coupons[0]!.code, 1000);
  await store.order(2, two.coupons[0]!.code, 1000);
  await store.run();
  assert.deepEqual(await reached('2026-11-10', '2026-11-10'), [2, 100]);
  assert.deepEqual(await reached('2026-11-01', '2026-11-09'), [0, 0]);
  await store.order(2, two.coupons[0]!.code, 1000, { status: 'cancelled' });
  await store.run();
  assert.deepEqual(await reached('2026-11-01', '2026-11-30'), [1, 50], 'one was taken back');
});

describe('a fixed amount', () => {
  test('of one order says so in the singular', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate();
    const window = { kind: 'month' };
    await store.bonus({ target: { by: 'orders', counts: 'counted', window, at: 1 } });
    await store.order(1, coupons[0]!.code, 10);
    await store.run();
    const [entry] = await store.entries(coupons[0]!.id);
    assert.equal(entry.note, 'Bonus Autumn: 1 order in November 2026 reached');
  });

  test('is paid once when the target is reached, with the reason, and not before', async () => {
    const store = await openStore();
    const { id, coupons } = await store.affiliate();
    const { id: bonusId } = await store.bonus();
    const coupon = coupons[0]!;
    await store.order(1, coupon.code, 999.99);
    await store.run();
    assert.deepEqual(await store.entries(coupon.id), []);
    await store.order(2, coupon.code, 0.01);
    await store.order(3, coupon.code, 500);
    await store.run();
    await store.run();
    const [entry, ...others] = await store.entries(coupon.id);
    assert.deepEqual(others, []);
    assert.deepEqual([entry.from, entry.to, entry.amount], ['earned', 'unpaid', 50]);
    assert.match(entry.note, /^Bonus Autumn: \S*1,000\.00\S* of sales in November 2026 reached$/);
    const { body } = await store.app.call('/events?event=bonus.reached', { key: store.key });
    const [event] = body;
    assert.deepEqual(
      [event.data.bonus_id, event.data.user_id, event.data.coupon_id, event.data.amount],
      [bonusId, id, coupon.id, 50],
    );
    await store.verify();
  });

  test('is paid once although many orders cross it at the same time, on several coupons and runs', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate(3);
    await store.bonus();
    await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        await store.order(i + 1, coupons[i % 3]!.code, 100);
        await Promise.all([store.run(), store.run()]);
      }),
    );
    await store.run();
    const paid = await Promise.all(coupons.map(({ id }) => store.entries(id)));
    assert.deepEqual(
      paid.map((entries) => entries.length),
      [1, 0, 0],
      'on the oldest active coupon',
    );
    await store.verify();
  });

  test('counts each window, or once ever', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate();
    const coupon = coupons[0]!;
    await store.bonus({ once: 'window' });
    await store.bonus({ once: 'ever', pays: { amount: 7 } });
    await store.order(1, coupon.code, 1000);
    await store.run();
    store.app.advance(30 * DAY_MS);
    await store.order(2, coupon.code, 1000, { date: '2026-12-09T10:00:00' });
    await store.order(3, coupon.code, 1000, { date: '2026-12-09T10:00:00' });
    await store.run();
    const amounts = (await store.entries(coupon.id)).map((entry: any) => entry.amount);
    assert.deepEqual(amounts.toSorted(), [50, 50, 7]);
    assert.equal((await store.balance(coupon.id))['unpaid'], 107);
  });

  test('is paid for what was reached in the current window before it was made, and for no earlier one', async () => {
    const store = await openStore();
    const [now, before] = [await store.affiliate(), await store.affiliate()];
    await store.order(1, now.coupons[0]!.code, 1000, { date: '2026-11-01T00:00:00' });
    await store.order(2, before.coupons[0]!.code, 1000, { date: '2026-10-31T23:59:59' });
    await store.bonus();
    await store.run();
    await store.order(3, before.coupons[0]!.code, 5, { date: '2026-10-31T23:59:59' });
    await store.run();
    assert.equal((await store.entries(now.coupons[0]!.id)).length, 1);
    assert.equal((await store.entries(before.coupons[0]!.id)).length, 0);
  });

  test('waits for an active coupon, also when the window has ended by then', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate();
    const [coupon] = coupons;
    await store.bonus();
    await store.order(1, coupon!.code, 1000);
    await store.send('PATCH', `/coupons/${coupon!.id}`, { status: 'disabled' });
    await store.run();
    for (let week = 0; week < 4; week += 1) {
      store.app.advance(7 * DAY_MS);
      await store.run();
    }
    assert.deepEqual(await store.entries(coupon!.id), []);
    await store.send('PATCH', `/coupons/${coupon!.id}`, { status: 'active' });
    store.app.advance(60 * 60_000);
    await store.run();
    const [entry, ...others] = await store.entries(coupon!.id);
    assert.deepEqual(others, []);
    assert.match(entry.note, /in November 2026 reached/);
  });

  test('goes to those it is for', async () => {
    const store = await openStore();
    const gold = await store.send('POST', '/groups', { name: 'Gold' });
    const people = [await store.affiliate(), await store.affiliate(), await store.affiliate()];
    await store.send('PATCH', `/affiliates/${people[0]!.id}`, { groups: ['Gold'] });
    await store.bonus({ who: { groups: [gold.id] }, pays: { amount: 1 } });
    await store.bonus({ who: { affiliates: [people[1]!.id] }, pays: { amount: 2 } });
    await store.bonus({ who: { coupons: [people[2]!.coupons[0]!.id] }, pays: { amount: 4 } });
    await store.bonus({ active: false, pays: { amount: 8 } });
    for (const [i, { coupons }] of people.entries()) {
      await store.order(i + 1, coupons[0]!.code, 1000);
    }
    await store.run();
    const sums = await Promise.all(people.map(({ coupons }) => store.balance(coupons[0]!.id)));
    assert.deepEqual(
      sums.map(({ unpaid }) => unpaid),
      [1, 2, 4],
    );
  });

  test('counts orders and new customers, granted or counted', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate();
    const coupon = coupons[0]!;
    const target = { window: { kind: 'always' }, at: 2 };
    await store.bonus({
      target: { ...target, by: 'orders', counts: 'counted' },
      pays: { amount: 1 },
    });
    await store.bonus({
      target: { ...target, by: 'orders', counts: 'granted' },
      pays: { amount: 2 },
    });
    await store.bonus({
      target: { ...target, by: 'new_customers', counts: 'counted' },
      pays: { amount: 4 },
    });
    const customer = (name: string) => ({ customer: { email: `${name}@shop.example` } });
    await store.order(1, coupon.code, 10, customer('ann'));
    await store.order(2, coupon.code, 10, { ...customer('ann'), status: 'processing' });
    await store.run();
    assert.equal((await store.balance(coupon.id))['unpaid'], 1);
    await store.order(2, coupon.code, 10, customer('ann'));
    await store.run();
    assert.equal((await store.balance(coupon.id))['unpaid'], 3);
    await store.order(3, coupon.code, 10, customer('bob'));
    await store.run();
    assert.equal((await store.balance(coupon.id))['unpaid'], 7);
  });
});

describe('the days of a window', () => {
  for (const [timezone, lastOfMonth, firstOfNext] of [
    ['Pacific/Kiritimati', '2026-10-31T09:59:59Z', '2026-10-31T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-11-01T10:59:59Z', '2026-11-01T11:00:00Z'],
    ['Asia/Kolkata', '2026-10-31T18:29:59Z', '2026-10-31T18:30:00Z'],
    ['America/New_York', '2026-11-01T03:59:59Z', '2026-11-01T04:00:00Z'],
  ] as const) {
    test(`are those of ${timezone}`, async () => {
      const store = await openStore({ timezone, now: '2026-10-20T12:00:00Z' });
      const { coupons } = await store.affiliate();
      const coupon = coupons[0]!;
      await store.bonus();
      await store.order(1, coupon.code, 600, { date: '2026-10-31T23:59:59' });
      await store.order(2, coupon.code, 600, { date: '2026-11-01T00:00:00' });
      await store.bonus({
        name: 'Share',
        target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 500 },
        pays: { percent: 5, of: 'sales' },
      });
      await store.run();
      assert.deepEqual(await store.entries(coupon.id), [], 'neither month has 1,000');
      store.app.setClock(Date.parse(lastOfMonth) - store.app.site.clock());
      await store.run();
      assert.deepEqual(await store.entries(coupon.id), [], 'the month has not ended');
      store.app.setClock(Date.parse(firstOfNext) - store.app.site.clock());
      await store.run();
      await store.run();
      const [entry, ...others] = await store.entries(coupon.id);
      assert.deepEqual(others, []);
      assert.equal(entry.amount, 30);
      assert.match(entry.note, /in October 2026 reached: 5% of \S*600\.00/);
    });
  }
});

describe('a percentage', () => {
  test('is paid of the sales or the commission of the window when it has ended', async () => {
    const store = await openStore();
    const { coupons } = await store.affiliate();
    const [below] = (await store.affiliate()).coupons;
    const coupon = coupons[0]!;
    await store.order(1, coupon.code, 900.5);
    await store.bonus({ pays: { percent: 2.5, of: 'sales' } });
    await store.bonus({ pays: { percent: 50, of: 'commission' } });
    await store.run();
    await store.order(2, coupon.code, 100);
    await store.order(3, below!.code, 999.99);
    await store.run();
    assert.deepEqual(await store.entries(coupon.id), []);
    store.app.advance(21 * DAY_MS);
    await store.run();
    await store.run();
    const amounts = (await store.entries(coupon.id)).map((entry: any) => entry.amount);
    assert.deepEqual(amounts.toSorted(), [25.01, 50.03]);
    assert.deepEqual(await store.entries(below!.id), []);
    await store.order(4, below!.code, 0.01, { date: '2026-11-30T23:00:00' });
    await store.run();
    assert.equal((await store.entries(below!.id)).length, 2, 'an order of the window that is late');
    await store.verify();
  });
});

describe('a held bonus', () => {
  test('is taken back when refunds bring the affiliate below the target, and can be reached again', async () => {
    const store = await openStore({ delayDays: 14 });
    const { id, coupons } = await store.affiliate();
    const coupon = coupons[0]!;
    await store.bonus();
    await store.order(1, coupon.code, 1000);
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 50, unpaid: 0 });
    const { on_hold, holds } = await store.send('GET', `/affiliates/${id}/balance`);
    assert.deepEqual([on_hold, holds], [150, [{ until: '2026-11-24', amount: 150 }]]);
    await store.order(1, coupon.code, 1000, { refunds: [{ id: 1, amount: 0.01 }] });
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 0, unpaid: 0 });
    const last = (await store.entries(coupon.id)).at(-1);
    assert.equal(last.amount, -50);
    assert.match(last.note, /Taken back: it is no longer reached$/);
    const { body } = await store.app.call('/events?event=bonus.reversed', { key: store.key });
    assert.equal(body[0].data.amount, 50);
    await store.order(2, coupon.code, 1);
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 50, unpaid: 0 });
    await store.verify();
  });

  test('becomes payable after the delay, and stays after that', async () => {
    const store = await openStore({ delayDays: 14 });
    const { id, coupons } = await store.affiliate();
    const coupon = coupons[0]!;
    const bonus = await store.bonus();
    await store.order(1, coupon.code, 1000);
    await store.run();
    await store.send('DELETE', `/rewards/bonuses/${bonus.id}`);
    store.app.advance(14 * DAY_MS - 1);
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 50, unpaid: 0 });
    store.app.advance(1);
    await Promise.all([store.run(), store.run()]);
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 0, unpaid: 50 });
    await store.order(1, coupon.code, 1000, { status: 'refunded' });
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 0, unpaid: 50 });
    const { lines, totals } = await store.send('GET', `/affiliates/${id}/statement`);
    assert.equal(totals.bonus, 50);
    const line = lines.find(({ kind }: { kind: string }) => kind === 'bonus');
    assert.deepEqual([line.amount, line.reason.slice(0, 13)], [50, 'Bonus Autumn:']);
    await store.verify();
  });

  test('is not made payable if a refund came before the job', async () => {
    const store = await openStore({ delayDays: 14 });
    const { coupons } = await store.affiliate();
    const coupon = coupons[0]!;
    const bonus = await store.bonus();
    await store.order(1, coupon.code, 1000);
    await store.run();
    await store.send('DELETE', `/rewards/bonuses/${bonus.id}`);
    await store.order(1, coupon.code, 1000, { status: 'refunded' });
    store.app.advance(14 * DAY_MS);
    await store.run();
    assert.deepEqual(await store.balance(coupon.id), { awaiting: 0, unpaid: 0 });
    await store.verify();
  });
});

describe('an event', () => {
  test('the first order that is granted after the bonus was made', async () => {
    const store = await openStore();
    const [old, fresh] = [await store.affiliate(), await store.affiliate()];
    await store.order(1, old.coupons[0]!.code, 10, { date: '2026-11-09T10:00:00' });
    await store.bonus({ target: { event: 'first_order' }, pays: { amount: 5 } });
    await store.order(2, old.coupons[0]!.code, 10);
    await store.order(3, fresh.coupons[0]!.code, 10, { status: 'processing' });
    await store.run();
    assert.deepEqual(await store.entries(fresh.coupons[0]!.id), []);
    await store.order(3, fresh.coupons[0]!.code, 10);
    await store.order(4, fresh.coupons[0]!.code, 10);
    await store.run();
    const [entry] = await store.entries(fresh.coupons[0]!.id);
    assert.deepEqual([entry.amount, entry.note], [5, 'Bonus Autumn: first order']);
    assert.equal((await store.entries(fresh.coupons[0]!.id)).length, 1);
    assert.deepEqual(await store.entries(old.coupons[0]!.id), []);
  });

  test('being accepted after the bonus was made, as soon as there is a coupon', async () => {
    const store = await openStore();
    const old = await store.affiliate();
    store.app.advance(1);
    await store.bonus({ target: { event: 'accepted' }, pays: { amount: 5 } });
    const fresh = await store.affiliate(0);
    await store.run();
    const coupon = await store.send('POST', '/coupons', { code: 'LATER', user_id: fresh.id });
    await store.run();
    store.app.advance(60 * 60_000);
    await store.run();
    await store.run();
    const [entry, ...others] = await store.entries(coupon.id);
    assert.deepEqual(others, []);
    assert.deepEqual([entry.amount, entry.note], [5, 'Bonus Autumn: joined the program']);
    assert.deepEqual(await store.entries(old.coupons[0]!.id), []);
  });
});

test('a store without active bonuses notes and reads nothing', async () => {
  const store = await openStore();
  const { coupons } = await store.affiliate();
  const { database } = store.app.site;
  await store.order(1, coupons[0]!.code, 10);
  const before = database.queriesRun();
  await store.run();
  assert.equal(database.queriesRun(), before);
});

test('affiliates read how far they are', async () => {
  const store = await openStore({ delayDays: 14 });
  const { id, coupons } = await store.affiliate();
  const code = coupons[0]!.code;
  const read = async () => (await store.send('GET', `/affiliates/${id}/rewards`)).bonuses;
  await store.order(1, code, 740);
  store.app.advance(1);
  const bonus = await store.bonus();
  await store.bonus({ target: { event: 'accepted' } });
  await store.bonus({ who: { affiliates: [(await store.affiliate()).id] } });
  await store.bonus({ active: false });
  await store.run();
  const [progress, ...others] = await read();
  assert.deepEqual(others, []);
  assert.match(progress.sentence, /^You get .*50\.00.*1,000\.00/);
  const { sentence: _, ...rest } = progress;
  assert.deepEqual(rest, { id: bonus.id, by: 'sales', value: 740, at: 1000, paid: false });
  await store.order(2, code, 260);
  await store.run();
  assert.equal((await read())[0].paid, true);
  await store.order(2, code, 259.99);
  await store.run();
  assert.deepEqual([(await read())[0].paid, (await read())[0].value], [false, 999.99]);
});

describe('new customers', () => {
  const ann = { customer: { email: 'ann@shop.example' } };
  const october = { date: '2026-10-20T10:00:00' };
  const november = { date: '2026-11-05T10:00:00' };
  const window = { kind: 'month' };

  /** A bonus for one new customer in a month, and two affiliates. */
  async function openTwo({ delayDays = 0 } = {}) {
    const store = await openStore({ delayDays, now: '2026-10-10T12:00:00Z' });
    await store.bonus({ target: { by: 'new_customers', counts: 'counted', window, at: 1 } });
    store.app.advance(31 * DAY_MS);
    const [one, two] = [await store.affiliate(), await store.affiliate()];
    const paid = async () => {
      await store.run();
      const sums = await Promise.all(
        [one, two].map(({ coupons }) => store.balance(coupons[0]!.id)),
      );
      return sums.map(({ awaiting, unpaid }) => awaiting! + unpaid!);
    };
    return { ...store, paid, codes: [one.coupons[0]!.code, two.coupons[0]!.code] as const };
  }

  test('are decided when their order first counts, and stay theirs', async () => {
    const { order, paid, codes } = await openTwo({ delayDays: 14 });
    const [one, two] = codes;
    await order(1, one, 10, { ...ann, ...november });
    await order(2, two, 10, { ...ann, date: '2026-11-07T10:00:00' });
    assert.deepEqual(await paid(), [50, 0]);
    await order(1, one, 10, { ...ann, ...november, status: 'cancelled' });
    assert.deepEqual(await paid(), [0, 0], 'it does not count');
    await order(3, two, 10, { ...ann, date: '2026-11-06T10:00:00' });
    assert.deepEqual(await paid(), [0, 50], 'the first that counts when it is decided');
    await order(1, one, 10, { ...ann, ...november });
    assert.deepEqual(await paid(), [50, 50], 'it counts again, with the same facts');
  });

  test('are not lost to an order that was never paid', async () => {
    const { order, paid, codes } = await openTwo({ delayDays: 14 });
    const [one, two] = codes;
    await order(1, one, 10, { ...ann, ...november, status: 'pending' });
    await order(2, two, 10, { ...ann, date: '2026-11-07T10:00:00', status: 'pending' });
    await order(1, one, 10, { ...ann, ...november, status: 'cancelled' });
    await order(2, two, 10, { ...ann, date: '2026-11-07T10:00:00' });
    assert.deepEqual(await paid(), [0, 50]);
  });

  test('depend on orders that are credited to no affiliate', async () => {
    const { order, paid, codes } = await openTwo({ delayDays: 14 });
    await order(1, codes[0], 10, { ...ann, ...october, coupon_codes: [] });
    await order(2, codes[1], 10, { ...ann, ...november });
    assert.deepEqual(await paid(), [0, 0]);
  });

  test('are counted on the day that their order has', async () => {
    const { order, paid, codes } = await openTwo({ delayDays: 14 });
    await order(1, codes[0], 10, { ...ann, ...november });
    assert.deepEqual(await paid(), [50, 0]);
    await order(1, codes[0], 10, { ...ann, date: '2026-09-08T10:00:00' });
    assert.deepEqual(await paid(), [0, 0], 'before the bonus was made');
  });

  test('are one customer where an order links the id of the store to an address', async () => {
    const { order, paid, codes } = await openTwo({ delayDays: 14 });
    const [one, two] = codes;
    await order(1, one, 10, { customer: { id: '7' }, ...november });
    const both = { customer: { id: '7', ...ann.customer } };
    await order(3, one, 10, { ...both, date: '2026-11-08T10:00:00' });
    await order(2, two, 10, { ...ann, date: '2026-11-09T10:00:00' });
    assert.deepEqual(await paid(), [50, 0]);
  });
});
