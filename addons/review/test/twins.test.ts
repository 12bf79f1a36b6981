import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { releaseHeld } from '../../../src/modules/orders/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { SeededRandom } from '../../../src/shared/seeded.ts';
import { testServer } from '../../../test/postgres/databases.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

/**
 * Two affiliates with the same orders: a rule finds all orders of the first, whose cases are decided, undone and decided
 * again at any moment. Once all of them are cleared, everything is the same for both.
 */
/** Fewer on PostgreSQL, where each command is several round trips. */
const HISTORIES = Number(
  process.env['TRIBUTARY_REVIEW_HISTORIES'] ?? (testServer() === undefined ? 6 : 2),
);
const COMMANDS = 40;
const ORDERS = 5;
const statuses = ['completed', 'completed', 'completed', 'processing', 'cancelled', 'refunded'];

const payouts = await openPayoutApp({
  settings: { 'payouts.details_required': false, 'multilevel.percents': [5] },
});
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const daysOf = query<{ coupon_id: number }, { coupon_id: number }>((db, p) =>
  db.selectFrom('coupon_days').selectAll().where('coupon_id', '=', p.coupon_id).orderBy('day'),
);

let names = 0;
let lastOrder = 0;

/** An affiliate with a parent who earns a share. */
async function join(domain: string) {
  const add = async (login: string) => {
    const user = await send('POST', '/affiliates', { login, email: `${login}@${domain}` });
    const { id } = await send('POST', '/coupons', { code: login, user_id: user.id });
    return { id: user.id as number, couponId: id as number, code: login };
  };
  const parent = await add(`p${++names}`);
  const own = await add(`t${names}`);
  await send('PUT', `/affiliates/${own.id}/parent`, { parent_id: parent.id });
  return { ...own, parent, orders: Array.from({ length: ORDERS }, () => ++lastOrder) };
}

const withoutCoupon = ({ coupon_id: _coupon, ...day }: { coupon_id: number }) => day;

/** A day on which an order came and went is a row of zeros, or no row. */
const isNotEmpty = (day: object) =>
  Object.values(day).some((value) => typeof value === 'number' && value !== 0);

type Twin = Awaited<ReturnType<typeof join>>;

/** Everything about the money of an affiliate that does not name it. */
async function stateOf(twin: Twin) {
  const couponOf = async (id: number) => {
    const { body } = await app.call(`/coupons/${id}`, { key: admin });
    const { id: _id, user_id: _user, ...rest } = body;
    const figures = Object.entries(rest).filter(([, value]) => typeof value === 'number');
    const days = await app.site.database.read.all(daysOf, { coupon_id: id });
    return { ...Object.fromEntries(figures), days: days.map(withoutCoupon).filter(isNotEmpty) };
  };
  const balanceOf = async (id: number) => {
    const {
      user_id: _id,
      coupons: _coupons,
      ...balance
    } = await send('GET', `/affiliates/${id}/balance`);
    return balance;
  };
  return {
    coupon: await couponOf(twin.couponId),
    upline: await couponOf(twin.parent.couponId),
    balance: await balanceOf(twin.id),
    ofParent: await balanceOf(twin.parent.id),
  };
}

for (let history = 1; history <= HISTORIES; history += 1) {
  test(`history ${history}: cleared, the first is where the second is`, async () => {
    const random = new SeededRandom(history);
    await send('PATCH', '/review/rules/same_people', { action: 'hold' });
    await app.set({ 'commission.delay_days': 0 });
    const twins = [await join('acme.shop'), await join('other.shop')] as const;
    const casesOf = (state: string): Promise<{ id: number }[]> =>
      send('GET', `/cases?affiliate_id=${twins[0].id}&state=${state}&per_page=100`);

    const commands: Record<string, () => Promise<unknown>> = {
      async order() {
        const which = random.between(0, ORDERS - 1);
        const total = random.between(10, 200);
        const refund = random.happens(0.3)
          ? [{ id: 1, amount: total / 2, date: '2026-03-01' }]
          : [];
        const order = {
          date: app.site.calendar.toLocal(app.site.clock()),
          status: random.pick(statuses),
          total,
          refunds: refund,
        };
        for (const { code, orders } of twins) {
          const customer = { email: `customer-of-${code}@acme.shop` };
          const own = { ...order, customer, coupon_codes: [code] };
          await send('PUT', `/orders/${orders[which]}`, own);
        }
      },
      async decide() {
        const open = await casesOf('open');
        if (open.length === 0) return;
        const decision = random.pick(['clear', 'reject']);
        await send('POST', `/cases/${random.pick(open).id}/decide`, { decision });
      },
      async reopen() {
        const decided = await casesOf('decided');
        if (decided.length > 0) await send('POST', `/cases/${random.pick(decided).id}/reopen`);
      },
      async time() {
        app.advance(random.between(1, 3) * DAY_MS);
        await releaseHeld.run(app.site);
      },
      setting: () => app.set({ 'commission.delay_days': random.pick([0, 2, 4]) }),
    };
    const weighted = ['order', 'order', 'order', 'decide', 'decide', 'reopen', 'time', 'setting'];
    for (let i = 0; i < COMMANDS; i += 1) {
      await commands[random.pick(weighted)]!();
      const { earned, on_hold, available, on_its_way, paid, taken_back } = (await stateOf(twins[0]))
        .balance;
      assert.equal(
        Math.round(earned * 100),
        Math.round((on_hold + available + on_its_way + paid - taken_back) * 100),
      );
    }
    for (const { id } of await casesOf('decided')) await send('POST', `/cases/${id}/reopen`);
    for (const { id } of await casesOf('open')) {
      await send('POST', `/cases/${id}/decide`, { decision: 'clear' });
    }
    await releaseHeld.run(app.site);
    assert.deepEqual(await stateOf(twins[0]), await stateOf(twins[1]));
    await payouts.assertClean();
  });
}
