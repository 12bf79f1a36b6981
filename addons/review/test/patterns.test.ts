import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { dayBefore } from '../patterns/day-rows.ts';
import { watchPatterns } from '../watch-patterns.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

const call = (method: string, path: string, json?: unknown) =>
  app.call(STORE + path, { method, key: admin, json });

async function send(method: string, path: string, json?: unknown) {
  const reply = await call(method, path, json);
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let lastOrder = 0;
let lastAffiliate = 0;

async function join() {
  const code = `pat${++lastAffiliate}`;
  const { id } = await send('POST', '/affiliates', { login: code, email: `${code}@own.shop` });
  const coupon = await send('POST', '/coupons', { code, user_id: id });
  return { id: id as number, couponId: coupon.id as number, code };
}

/** Noon of a day, or now. */
function timeOf(daysAgo: number): string {
  const now = app.site.calendar.toLocal(app.site.clock());
  return daysAgo === 0 ? now : `${dayBefore(now.slice(0, 10), daysAgo)}T12:00:00`;
}

interface Sent {
  daysAgo?: number;
  status?: string;
  click?: boolean;
}

/** Sends orders, each with a click of its own if there are clicks. */
async function order(
  { code, couponId }: { code: string; couponId: number },
  count: number,
  { daysAgo = 0, status = 'completed', click = false }: Sent = {},
): Promise<number[]> {
  const date = timeOf(daysAgo);
  const ids = click ? await clicks({ couponId }, count, daysAgo) : [];
  const orders = Array.from({ length: count }, (_, i) => ({
    order_id: ++lastOrder,
    date,
    status,
    total: 100,
    coupon_codes: [code],
    ...(click && { click_id: ids[i] }),
  }));
  const { results } = await send('POST', '/orders/batch', { orders });
  assert.ok(results.every(({ status: answered }: { status: number }) => answered === 201));
  return orders.map(({ order_id }) => order_id);
}

async function clicks(
  { couponId }: { couponId: number },
  count: number,
  daysAgo = 0,
): Promise<number[]> {
  const one = { coupon_id: couponId, date: timeOf(daysAgo) };
  const { ids } = await send('POST', '/clicks', {
    clicks: Array.from({ length: count }, () => one),
  });
  return ids;
}

const watch = () => watchPatterns.run(app.site);
const casesOf = (id: number, state = 'open') =>
  send('GET', `/cases?state=${state}&affiliate_id=${id}`);
const decide = (id: number, decision: string) => send('POST', `/cases/${id}/decide`, { decision });
const couponOf = async (id: number) => (await app.call(`/coupons/${id}`, { key: admin })).body;
const pools = async (id: number) => {
  const { unpaid_commission, pending_order_commission } = await couponOf(id);
  return [unpaid_commission, pending_order_commission];
};
const every = async (days: readonly number[], run: (day: number) => Promise<unknown>) => {
  for (const day of days) await run(day);
};

const rule = (name: string, action: string) => send('PATCH', `/review/rules/${name}`, { action });

describe('code_leaked', () => {
  before(() => rule('unusual_volume', 'off'));
  after(() => rule('unusual_volume', 'note'));

  test('sees a code that others than the affiliate give away, once', async () => {
    const one = await join();
    await every([20, 15, 10, 5], (daysAgo) => order(one, 5, { daysAgo, click: true }));
    await every([18, 9], (daysAgo) => order(one, 1, { daysAgo }));
    await order(one, 9);
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
    await order(one, 3);
    await watch();
    const [found] = await casesOf(one.id);
    assert.equal(found.rule, 'code_leaked');
    assert.deepEqual(found.subject, { type: 'affiliate', id: one.id });
    const { code, orders, share, usual_share } = found.evidence[0].figures;
    assert.deepEqual(
      { code, orders, share, usual_share },
      { code: one.code, orders: 12, share: 100, usual_share: 13 },
    );
    assert.match(found.reason, new RegExp(`the code ${one.code} was used 12 times`));
    // A note holds nothing, and the affiliate does not see it.
    assert.equal((await couponOf(one.couponId)).pending_order_commission, 0);
    assert.deepEqual(await send('GET', `/affiliates/${one.id}/cases`), []);
    await watch();
    assert.equal((await casesOf(one.id))[0].evidence.length, 1);
  });

  test('adds to an open case once a day, and is quiet for 28 days after a decision', async () => {
    const one = await join();
    await every([20, 15, 10, 5], (daysAgo) => order(one, 5, { daysAgo, click: true }));
    await order(one, 12);
    await watch();
    app.advance(DAY_MS);
    await order(one, 12);
    await watch();
    await watch();
    const [found] = await casesOf(one.id);
    assert.equal(found.evidence.length, 2);
    await decide(found.id, 'clear');
    app.advance(DAY_MS);
    await order(one, 40);
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
    app.advance(28 * DAY_MS);
    await every([3, 5, 7], (daysAgo) => order(one, 20, { daysAgo, click: true }));
    await order(one, 200);
    await watch();
    assert.equal((await casesOf(one.id)).length, 1);
  });

  test('does not take a code that is always used without a link for leaked, until its number rises', async () => {
    const one = await join();
    await every([25, 20, 15, 10, 5, 4, 3, 2], (daysAgo) => order(one, 11, { daysAgo }));
    await order(one, 11);
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
    await order(one, 30);
    await watch();
    assert.equal((await casesOf(one.id))[0].rule, 'code_leaked');
  });

  test('sees clicks from coupon sites', async () => {
    const one = await join();
    const click = (host: string) =>
      send('POST', '/clicks', { coupon_id: one.couponId, referrer: `https://${host}/codes` });
    await click('www.retailmenot.com');
    await click('retailmenot.com');
    await click('blog.example');
    await click('notretailmenot.com');
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
    await click('www.retailmenot.com');
    await watch();
    const [found] = await casesOf(one.id);
    assert.match(
      found.reason,
      new RegExp(
        `, 3 clicks on links with the code ${one.code} came from coupon sites such as www`,
      ),
    );
  });

  test('takes most codes at once for clicks that are not recorded', async () => {
    app.advance(3 * DAY_MS);
    const codes = [];
    for (let i = 0; i < 6; i += 1) {
      const one = await join();
      codes.push(one);
      await every([20, 15, 10, 5], (daysAgo) => order(one, 5, { daysAgo, click: true }));
      await order(one, 12);
    }
    await watch();
    for (const { id } of codes) assert.deepEqual(await casesOf(id), []);
  });

  test('does not look when it is off', async () => {
    await rule('code_leaked', 'off');
    const one = await join();
    await every([20, 15, 10, 5], (daysAgo) => order(one, 5, { daysAgo, click: true }));
    await order(one, 12);
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
    await rule('code_leaked', 'note');
  });
});

describe('unusual_volume', () => {
  test('sees clicks that rise without orders, not those that bring them', async () => {
    const [honest, stuffer] = [await join(), await join()];
    for (let i = 0; i < 4; i += 1) await clicks(await join(), 20);
    await every([20, 18, 16, 14, 12, 10, 8, 6], async (daysAgo) => {
      for (const one of [honest, stuffer]) {
        await clicks(one, 20, daysAgo);
        await order(one, 1, { daysAgo, click: true });
      }
    });
    await clicks(stuffer, 900);
    await clicks(honest, 900);
    await order(honest, 40, { click: true });
    await watch();
    assert.deepEqual(await casesOf(honest.id), []);
    const [found] = await casesOf(stuffer.id);
    assert.equal(found.rule, 'unusual_volume');
    assert.match(found.reason, /the affiliate had 900 clicks/);
  });

  test('sees that nearly every click becomes an order', async () => {
    const one = await join();
    await every([3, 2, 1], (daysAgo) => order(one, 8, { daysAgo, click: true }));
    await watch();
    const [found] = await casesOf(one.id);
    assert.equal(found.reason, "100% of the affiliate's latest clicks led to an order: 24 orders.");
  });
});

describe('many_refunds', () => {
  /** An affiliate whose case is open, with an order from before. */
  async function suspicious() {
    const one = await join();
    await order(one, 15, { daysAgo: 5, status: 'refunded' });
    await order(one, 1);
    await watch();
    const [found] = await casesOf(one.id);
    assert.equal(found.rule, 'many_refunds');
    return { ...one, caseId: found.id as number, found };
  }

  test('holds the commission of new orders while its case is open, and tells the affiliate', async () => {
    const earlier = (await outbox(app.site)).length;
    const { id, couponId, caseId, found, ...one } = await suspicious();
    assert.equal(found.reason, "15 of the affiliate's last 16 orders were refunded: 94%.");
    assert.equal(found.held, 0);
    assert.equal((await outbox(app.site)).length, earlier + 1);
    assert.equal((await send('GET', `/affiliates/${id}/cases`)).length, 1);
    assert.deepEqual(await pools(couponId), [10, 0]);
    await order({ ...one, couponId }, 2);
    await order({ ...one, couponId }, 1);
    assert.deepEqual(await pools(couponId), [10, 30]);
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 30);
    assert.equal((await send('GET', `/cases/${caseId}`)).orders.length, 3);
    await decide(caseId, 'clear');
    assert.deepEqual(await pools(couponId), [40, 0]);
    await order({ ...one, couponId }, 1);
    assert.deepEqual(await pools(couponId), [50, 0]);
  });

  test('rejected, what it held is void; undone, it holds that again, and new orders', async () => {
    const one = await suspicious();
    await order(one, 2);
    await decide(one.caseId, 'reject');
    assert.deepEqual(await pools(one.couponId), [10, 0]);
    await order(one, 1);
    assert.deepEqual(await pools(one.couponId), [20, 0]);
    const { held } = await send('POST', `/cases/${one.caseId}/reopen`);
    assert.equal(held, 20);
    await order(one, 1);
    assert.deepEqual(await pools(one.couponId), [20, 30]);
    await decide(one.caseId, 'clear');
    assert.deepEqual(await pools(one.couponId), [50, 0]);
  });

  test('an order at the moment of the decision is decided with it, or comes after it', async () => {
    for (let round = 1; round <= 6; round += 1) {
      const one = await suspicious();
      const decision = round % 2 === 0 ? 'clear' : 'reject';
      await Promise.all([
        order(one, 1),
        order(one, 1),
        decide(one.caseId, decision),
        order(one, 1),
      ]);
      const { orders, held, state } = await send('GET', `/cases/${one.caseId}`);
      assert.deepEqual([held, state], [0, decision === 'clear' ? 'cleared' : 'rejected']);
      const voided = decision === 'clear' ? 0 : orders.length;
      assert.deepEqual(await pools(one.couponId), [10 + 10 * (3 - voided), 0]);
    }
  });

  test('does not judge the orders of an earlier case again', async () => {
    const one = await suspicious();
    await decide(one.caseId, 'clear');
    app.advance(30 * DAY_MS);
    await order(one, 1);
    await watch();
    assert.deepEqual(await casesOf(one.id), []);
  });

  test('as a note it holds nothing', async () => {
    await rule('many_refunds', 'note');
    const one = await suspicious();
    await order(one, 1);
    assert.deepEqual(await pools(one.couponId), [20, 0]);
    await rule('many_refunds', 'hold');
  });
});

test('no statement runs while all patterns are off', async () => {
  const names = ['code_leaked', 'unusual_volume', 'many_refunds'];
  for (const name of names) await rule(name, 'off');
  assert.equal(await statementsOf(app.site.database, watch), 0);
});

test('a pattern cannot be rejected by itself', async () => {
  const { status, body } = await call('PATCH', '/review/rules/many_refunds', { action: 'reject' });
  assert.deepEqual([status, Object.keys(body.data.params)], [400, ['action']]);
});

test('the ledger and the figures agree after all of this', () => payouts.assertClean());
