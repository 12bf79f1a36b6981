import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statementsOf } from '../../../bench/recorded.ts';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { postgresPlan } from '../../../test/support/postgres-plan.ts';
import {
  countForReview,
  listForReview,
  reviewSorts,
  type ReviewFilter,
  type ReviewSort,
} from './review-list-rows.ts';

const payouts = await openPayoutApp();
const { app, admin, maya } = payouts;
const manager = await app.key('manager', 'read,write');

const list = async (query: string) => {
  const { body, headers, status, text } = await app.call(`${STORE}/payouts?${query}`, {
    key: admin,
  });
  assert.equal(status, 200, text);
  assert.equal(headers.get('x-svc-total'), String(body.length), query);
  return body;
};
const post = (path: string, json: object, key = admin) =>
  app.call(`${STORE}/payouts/${path}`, { method: 'POST', key, json });

describe('GET /payouts of the store', async () => {
  const listed = await openListed();

  test('shows the affiliate, the coupon and both times', async () => {
    const [item] = await list('search=%231');
    assert.equal(item.id, 1);
    assert.deepEqual(item.affiliate, {
      id: idOf('maya'),
      name: item.affiliate.name,
      login: 'maya',
    });
    assert.equal(item.coupon.code, 'PAY1');
    assert.equal(item.method_type, 'banktransfer');
    assert.equal(item.failure, null);
    assert.ok(item.updated_at > item.created_at, item.updated_at);
  });

  test('filters by one status or several, affiliate, method, day and search', async () => {
    const ids = async (query: string) => (await list(query)).map(({ id }: any) => id);
    const { pending, created, paid, tomas } = listed;
    assert.deepEqual(
      await ids(''),
      [tomas, paid, created, pending].sort((a, b) => b - a),
    );
    assert.deepEqual(await ids('status=pending'), [tomas, pending]);
    assert.deepEqual(await ids('status=created,paid'), [paid, created]);
    assert.deepEqual(await ids(`affiliate=${idOf('tomas')}`), [tomas]);
    assert.deepEqual(await ids('method=credit'), [tomas]);
    assert.deepEqual(await ids('method=credit&status=paid'), []);
    assert.deepEqual(await ids('search=TOMAS'), [tomas]);
    assert.deepEqual(await ids('search=example%20tom'), [tomas]);
    assert.deepEqual(await ids('search=tom%20maya'), []);
    assert.deepEqual(await ids('search=pay2'), [created]);
    assert.deepEqual(await ids('search=FT-4711'), [paid]);
    assert.deepEqual(await ids('search=100%25'), []);
    assert.deepEqual(await ids('to=2020-01-01'), []);
  });

  test('finds the same payouts whether few or many match', async () => {
    const { read } = app.site.database;
    const idsOf = async (filter: ReviewFilter, sort: ReviewSort, total: number) => {
      const found = await listForReview(read, filter, sort, { limit: 3, offset: 0 }, total);
      return found.map(({ id }) => id);
    };
    const searched = (text: string, term1: string, term2?: string) => {
      const code = text.toLowerCase();
      return { reference: text, number: Number(/^\d+$/.exec(text)?.[0] ?? 0), code, term1, term2 };
    };
    const found = new Set<number>();
    for (const filter of [
      searched('example', 'example'),
      searched('example tom', 'example', 'tom'),
      searched('tom maya', 'tom', 'maya'),
      searched('PAY2', 'pay2'),
      searched('FT-4711', 'ft', '4711'),
      searched('1', '1'),
      { ...searched('example', 'example'), status: 'pending' as const },
      // Found by its number, by its coupon and by the name.
      { ...searched('pay', 'maya'), number: listed.pending },
    ]) {
      for (const sort of reviewSorts) {
        const few = await idsOf(filter, sort, 1);
        assert.deepEqual(await idsOf(filter, sort, 1_000_000), few, `${filter.reference} ${sort}`);
        for (const id of few) found.add(id);
      }
      const all = await listForReview(read, filter, '-created', { limit: 9, offset: 0 }, 1);
      assert.equal(await countForReview(read, filter), all.length, filter.reference);
    }
    assert.equal(found.size, 4);
  });

  if (app.site.database.dialect.name === 'postgresql') {
    test('PostgreSQL looks up the payouts of a common word one by one', async () => {
      const { database } = app.site;
      const filter = { reference: 'example', number: 0, code: 'example', term1: 'example' };
      const [ids] = await statementsOf(async () => {
        await listForReview(database.read, filter, '-created', { limit: 2, offset: 0 }, 1_000_000);
      });
      const plan = await postgresPlan(database, ids!);
      assert.match(plan, /SubPlan/);
      // A hashed one has collected the affiliates of all payouts before the first is looked at.
      assert.doesNotMatch(plan, /hashed SubPlan/);
    });
  }

  test('sorts by day, change and amount, both ways', async () => {
    const { pending, created, paid, tomas } = listed;
    const sorted = async (sort: string) => (await list(`sort=${sort}`)).map(({ id }: any) => id);
    for (const [sort, expected] of [
      ['amount', [pending, created, paid, tomas]],
      ['created', [pending, created, paid, tomas]],
      ['updated', [tomas, created, paid, pending]],
    ] as const) {
      assert.deepEqual(await sorted(sort), expected, sort);
      assert.deepEqual(await sorted(`-${sort}`), expected.toReversed(), `-${sort}`);
    }
  });

  test('refuses unknown statuses and sort orders, and affiliates', async () => {
    for (const query of ['status=open', 'status=paid,', 'sort=name']) {
      assert.equal((await app.call(`${STORE}/payouts?${query}`, { key: admin })).status, 400);
    }
    assert.equal((await app.call(`${STORE}/payouts`, { key: maya })).status, 403);
  });

  async function openListed() {
    const wait = () => app.advance(60_000);
    const { id: pending } = await payouts.payoutAt('pending', 10);
    const { id: created } = await payouts.payoutAt('pending', 20);
    const { id: paid } = await payouts.payoutAt('pending', 30);
    await payouts.setDetails('tomas', { method_type: 'credit', details: {} });
    const { body } = await payouts.request(await payouts.coupon(40, idOf('tomas')));
    wait();
    await payouts.change(created, 'created');
    wait();
    await payouts.change(paid, 'paid', admin, { transaction_id: 'FT-4711' });
    wait();
    await payouts.change(pending, 'cancel');
    wait();
    await payouts.change(pending, 'pending');
    return { pending, created, paid, tomas: body.id as number };
  }
});

describe('POST /payouts/batch', () => {
  test('changes each payout separately, and says why one is not changed', async () => {
    const [first, second] = [await payouts.payoutAt('pending'), await payouts.payoutAt('paid')];
    const cancelled = await payouts.payoutAt('cancel');
    await payouts.request(cancelled.coupon_id);
    const ids = [first.id, second.id, cancelled.id, 987_654];
    const since = (await payouts.events(0)).length;
    const { status, body } = await post('batch', { ids, status: 'paid', note: 'November' });
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ id, ok, status: now, error }: any) => [id, ok, now, error?.code ?? null]),
      [
        [first.id, true, 'paid', null],
        [second.id, false, 'paid', 'svc_api_no_change'],
        [cancelled.id, false, 'cancel', 'svc_api_invalid_transition'],
        [987_654, false, null, 'svc_api_not_found'],
      ],
    );
    assert.deepEqual(await payouts.pools(first.coupon_id), [0, 0, 50]);
    const added = (await payouts.events(0)).slice(since);
    assert.equal(added.length, 1);
    assert.match(added[0].info, /\(November\)/);
    // The balance of the cancelled one is in another payout by now.
    const reopened = await post('batch', { ids: [cancelled.id], status: 'pending' });
    assert.equal(reopened.body.items[0].error.code, 'svc_api_insufficient_unpaid');
    await payouts.assertClean();
  });

  test('two managers act concurrently: each payout changes once, and each response is true', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => payouts.payoutAt('pending')));
    const ids = made.map(({ id }) => id);
    const since = (await payouts.events(0)).length;
    const replies = await Promise.all([
      post('batch', { ids, status: 'paid' }, admin),
      post('batch', { ids: ids.toReversed(), status: 'created' }, manager),
      post('batch', { ids, status: 'paid' }, manager),
    ]);
    const items = replies.flatMap(({ body }) => body.items);
    const added = (await payouts.events(0)).slice(since);
    for (const id of ids) {
      const won = items.filter((item: any) => item.id === id && item.ok);
      const changes = added.filter(({ data }) => data.payout_id === id);
      assert.deepEqual(
        won.map((item: any) => item.status).sort(),
        changes.map(({ data }) => data.status).sort(),
      );
      const lost = items.filter((item: any) => item.id === id && !item.ok);
      assert.equal(won.length + lost.length, 3);
      assert.ok(won.length >= 1);
      for (const { error } of lost) {
        assert.match(error.code, /^svc_api_(conflict|no_change|invalid_transition)$/);
      }
    }
    await payouts.assertClean();
  });

  test('changes only payouts that still have the status that the caller has seen', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => payouts.payoutAt('pending')));
    const ids = made.map(({ id }) => id);
    // Without `from`, a payout that was just paid could still be cancelled.
    const replies = await Promise.all([
      post('batch', { ids, status: 'paid', from: 'pending' }, admin),
      post('batch', { ids: ids.toReversed(), status: 'cancel', from: 'pending' }, manager),
    ]);
    const items = replies.flatMap(({ body }) => body.items);
    for (const { id, coupon_id } of made) {
      const [won, lost] = items
        .filter((item: any) => item.id === id)
        .toSorted((a: any, b: any) => Number(b.ok) - Number(a.ok));
      assert.deepEqual([won.ok, lost.ok, lost.error.code], [true, false, 'svc_api_conflict']);
      assert.equal(lost.status, won.status);
      const pools = won.status === 'paid' ? [0, 0, 50] : [50, 0, 0];
      assert.deepEqual(await payouts.pools(coupon_id), pools);
    }
    await payouts.assertClean();
  });

  test('names at most 500 different payouts, and a reference with paid only', async () => {
    const many = Array.from({ length: 501 }, (_, i) => i + 1);
    for (const json of [
      { ids: [], status: 'paid' },
      { ids: many, status: 'paid' },
      { ids: [1, 1], status: 'paid' },
      { ids: [1], status: 'failed' },
      { ids: [1], status: 'created', transaction_id: 'X' },
    ]) {
      assert.equal((await post('batch', json)).status, 400, JSON.stringify(json).slice(0, 80));
    }
    const { body } = await post('batch', { ids: many.slice(0, 500), status: 'pending' });
    assert.equal(body.items.length, 500);
  });
});

describe('POST /payouts/dry-run', () => {
  test('foresees what the batch then does, and changes nothing', async () => {
    await app.set({ 'payouts.threshold': 20 });
    const open = [await payouts.payoutAt('pending', 30), await payouts.payoutAt('created', 40)];
    await app.set({ 'payouts.threshold': 35 });
    const paid = await payouts.payoutAt('paid', 50);
    const ids = [...open, paid].map(({ id }) => id);
    const since = (await payouts.events(0)).length;
    const { body } = await post('dry-run', { ids: [...ids, 987_654], status: 'paid' });
    assert.deepEqual(
      { count: body.count, total: body.total, methods: body.methods },
      {
        count: 2,
        total: 70,
        methods: [{ method: 'Bank transfer', method_type: 'banktransfer', count: 2, total: 70 }],
      },
    );
    assert.deepEqual(
      body.problems.map(({ payout_id, code, blocks }: any) => [payout_id, code, blocks]),
      [
        [ids[0], 'svc_api_below_threshold', false],
        [ids[2], 'svc_api_no_change', true],
        [987_654, 'svc_api_not_found', true],
      ],
    );
    assert.deepEqual(body.ledger, {
      before: { unpaid: 0, pending_payout: 70, paid: 0 },
      after: { unpaid: 0, pending_payout: 0, paid: 70 },
    });
    assert.equal((await payouts.events(0)).length, since);
    await app.set({ 'payouts.threshold': 0 });
    await post('batch', { ids, status: 'paid' });
    for (const { coupon_id } of open) {
      assert.deepEqual((await payouts.pools(coupon_id)).slice(0, 2), [0, 0]);
    }
  });

  test('warns of missing and changed details, of a suspension, and of a balance that is gone', async () => {
    await app.set({ 'payouts.details_required': false });
    const without = await payouts.request(await payouts.coupon(10, idOf('carla')));
    const { id: changed } = await payouts.payoutAt('pending');
    const coupon = await payouts.coupon(10);
    const { body: first } = await payouts.request(coupon);
    await payouts.change(first.id, 'cancel');
    await payouts.request(coupon);
    app.advance(1_000);
    await payouts.setDetails('maya', {
      method_type: 'banktransfer',
      details: { account_holder: 'Maya Okafor', iban: 'GB82WEST12345698765432' },
    });
    await app.call(`${STORE}/affiliates/${idOf('carla')}`, {
      method: 'PATCH',
      key: admin,
      json: { status: 'suspended' },
    });
    const ids = [without.body.id, changed, first.id];
    const { body } = await post('dry-run', { ids, status: 'created' });
    assert.deepEqual(
      body.problems.map(({ payout_id, code, blocks }: any) => [payout_id, code, blocks]),
      [
        [ids[0], 'svc_api_suspended', false],
        [ids[0], 'svc_api_no_payout_details', false],
        [changed, 'svc_api_details_changed', false],
        [first.id, 'svc_api_insufficient_unpaid', true],
      ],
    );
  });
});
