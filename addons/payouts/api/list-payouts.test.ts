import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp({ config: { timezone: 'Asia/Tokyo' } });
const { app, admin, maya } = payouts;
// Two affiliates with one account would be in review.
const ofTomas = { account_holder: 'Tomas', iban: 'GB29NWBK60161331926819' };
await payouts.setDetails('tomas', { ...bankDetails, details: ofTomas });
const tomas = await app.key('tomas', 'read');

/** Three days, each with one payout per affiliate, one of them settled. */
const made: { id: number; day: string; user: string; status: string }[] = [];
for (let i = 0; i < 3; i++) {
  for (const user of ['maya', 'tomas']) {
    const { body } = await payouts.request(await payouts.coupon(10 + i, idOf(user)));
    const status = user === 'maya' && i > 0 ? (i === 1 ? 'paid' : 'cancel') : 'pending';
    if (status !== 'pending') await payouts.change(body.id, status);
    made.push({ id: body.id, day: body.date.slice(0, 10), user, status });
  }
  app.advance(DAY_MS);
}
const newest = made.toReversed();
const ids = (wanted: (payout: (typeof made)[number]) => boolean = () => true) =>
  newest.filter(wanted).map(({ id }) => id);

const list = (query = '', key = admin) => app.call(`/payouts?${query}`, { key });

async function listed(query: string, key = admin): Promise<number[]> {
  const { body, headers } = await list(query, key);
  assert.equal(headers.get('x-svc-total'), String(body.length), query);
  return body.map(({ id }: { id: number }) => id);
}

describe('GET /payouts', () => {
  describe('200', () => {
    test('all, newest first, for admins', async () => {
      assert.deepEqual(await listed(''), ids());
    });

    test('each filter, and filters together', async () => {
      const day = made[2]!.day;
      const coupon = (await payouts.get(made[2]!.id)).coupon_id;
      assert.deepEqual(
        await listed(`user_id=${idOf('maya')}`),
        ids(({ user }) => user === 'maya'),
      );
      assert.deepEqual(await listed(`coupon_id=${coupon}`), [made[2]!.id]);
      for (const status of ['pending', 'created', 'paid', 'cancel']) {
        assert.deepEqual(
          await listed(`status=${status}`),
          ids((p) => p.status === status),
        );
      }
      assert.deepEqual(
        await listed(`from=${day}`),
        ids((p) => p.day >= day),
      );
      assert.deepEqual(
        await listed(`to=${day}`),
        ids((p) => p.day <= day),
      );
      assert.deepEqual(
        await listed(`from=${day}&to=${day}&status=pending`),
        ids((p) => p.day === day && p.status === 'pending'),
      );
      const mine = `user_id=${idOf('tomas')}&from=${day}&status=pending`;
      assert.deepEqual(
        await listed(mine),
        ids((p) => p.user === 'tomas' && p.day >= day),
      );
    });

    test('an affiliate sees only its own payouts, with any user_id', async () => {
      const own = ids(({ user }) => user === 'tomas');
      assert.deepEqual(await listed('', tomas), own);
      assert.deepEqual(await listed(`user_id=${idOf('maya')}`, tomas), own);
      const theirs = (await payouts.get(made[0]!.id)).coupon_id;
      assert.deepEqual(await listed(`coupon_id=${theirs}`, tomas), []);
      assert.deepEqual(await listed('', await app.key('carla', 'read')), []);
    });

    test('pages, and one past the end', async () => {
      const { body, headers } = await list('per_page=4&page=2');
      assert.deepEqual(
        body.map(({ id }: any) => id),
        ids().slice(4),
      );
      assert.deepEqual([headers.get('x-svc-total'), headers.get('x-svc-totalpages')], ['6', '2']);
      const past = await list('per_page=4&page=3');
      assert.deepEqual([past.body, past.headers.get('x-svc-total')], [[], '6']);
    });
  });

  describe('400', () => {
    for (const query of ['status=failed', 'status=processing', 'from=2026-1-1', 'page=0']) {
      test(query, async () => {
        assert.equal(refusal(await list(query)), '400 rest_invalid_param');
      });
    }
  });
});

describe('GET /payouts/{id}', () => {
  test('200: for admins and the affiliate who is paid', async () => {
    const { id } = made[0]!;
    const whole = await payouts.get(id);
    assert.equal(whole.id, id);
    assert.deepEqual((await app.call(`/payouts/${id}`, { key: maya })).body, whole);
  });

  test("404: another affiliate's payout looks like an unknown one", async () => {
    const theirs = await app.call(`/payouts/${made[0]!.id}`, { key: tomas });
    const none = await app.call('/payouts/987654', { key: tomas });
    assert.deepEqual([theirs.status, theirs.text], [404, none.text]);
  });

  test('a payout stays with its affiliate when the coupon is reassigned', async () => {
    const { id, coupon_id } = await payouts.payoutAt('pending');
    const json = { user_id: idOf('tomas'), move_balance: true };
    await app.call(`${STORE}/coupons/${coupon_id}`, { method: 'PATCH', key: admin, json });
    assert.equal((await app.call(`/payouts/${id}`, { key: maya })).status, 200);
    assert.equal((await app.call(`/payouts/${id}`, { key: tomas })).status, 404);
    await payouts.change(id, 'cancel');
  });
});

test('deep pages: the same rows as with an offset from the start', async () => {
  const many = await openPayoutApp();
  const coupon = await many.coupon(0);
  const rows = 2_600;
  await many.app.site.database.transaction(async (tx) => {
    await tx.execute(`insert into payouts (coupon_id, user_id, amount, method_type, method, status,
        transaction_id, invoice_id, requested_at, requested_day, nonce, asks, pay_attempts, leased_until)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      select ${coupon}, ${idOf('maya')}, 100, '', '', case i % 3 when 0 then 'paid' else 'cancel' end,
        '', 0, i, '2026-01-' || (10 + i * 20 / ${rows + 1}), '', 0, 1, 0 from n`);
    await tx.execute(`insert into payout_days (basis, day, status, payouts, amount)
      select 'requested', requested_day, status, count(*), sum(amount) from payouts
      group by requested_day, status`);
  });
  for (const filter of ['', '&status=paid', '&from=2026-01-12&to=2026-01-27']) {
    const whole: number[] = [];
    for (let page = 1; ; page++) {
      const { body, headers } = await many.app.call(`/payouts?per_page=100&page=${page}${filter}`, {
        key: many.admin,
      });
      whole.push(...body.map(({ id }: any) => id));
      if (body.length > 0) continue;
      assert.equal(headers.get('x-svc-total'), String(whole.length));
      break;
    }
    assert.deepEqual(
      whole,
      whole.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(whole).size, whole.length);
  }

  const deep = async () =>
    (await many.app.call('/payouts?per_page=1&page=2001', { key: many.admin })).body[0].id;
  const before = await deep();
  await many.payoutAt('pending');
  assert.equal(await deep(), before + 1, 'and a new payout moves all of them on at once');
});

test('payouts in the report: pending by the day of the request, paid by the day of payment', async () => {
  const own = await openPayoutApp();
  const paid = await own.payoutAt('paid', 30);
  await own.payoutAt('pending', 20);
  await own.payoutAt('created', 10);
  const report = async (query = '') =>
    (await own.app.call(`/reports/summary?${query}`, { key: own.admin })).body.payouts;
  assert.deepEqual(await report(), {
    pending_count: 1,
    pending_amount: 20,
    paid_count: 1,
    paid_amount: 30,
  });
  assert.deepEqual(await report('from=2020-01-01&to=2020-12-31'), {
    pending_count: 0,
    pending_amount: 0,
    paid_count: 0,
    paid_amount: 0,
  });
  await own.change(paid.id, 'cancel');
  const { body } = await own.app.call('/reports/summary?refresh=true', { key: own.admin });
  assert.deepEqual(body.payouts, {
    pending_count: 1,
    pending_amount: 20,
    paid_count: 0,
    paid_amount: 0,
  });
});

test('payouts as CSV: all fields of the record, no destination', async () => {
  const { text, headers } = await app.call(`${STORE}/exports/payouts.csv`, { key: admin });
  assert.match(headers.get('content-type')!, /^text\/csv/);
  const [head, first] = text.split('\r\n');
  assert.match(head!, /^id,date,date_paid,status,user_id/);
  assert.match(first!, new RegExp(`^${made[0]!.id},.*,pending,${idOf('maya')},maya,`));
  assert.doesNotMatch(text, /DE89/);
});
