import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { everyAddonOn } from '../../../test/support/every-addon-on.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { refusal } from '../../../test/support/harness.ts';
import { holdOrder } from '../../../test/support/hold-order.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { lockPayout } from '../payout/payout-rows.ts';

// With every add-on on; the others are on by default.
const payouts = await openPayoutApp({ settings: everyAddonOn });
const { app, admin } = payouts;

const statuses = ['pending', 'created', 'paid', 'cancel'] as const;
type Status = (typeof statuses)[number] | 'processing' | 'failed';

/** The specification's answer for every pair, repeated here independently of the code. */
const told: Record<Status, Partial<Record<Status, string>>> = {
  pending: { created: 'payout.created', paid: 'payout.paid', cancel: 'payout.cancelled' },
  created: { pending: 'payout.reopened', paid: 'payout.paid', cancel: 'payout.cancelled' },
  paid: { pending: 'payout.reversed', created: 'payout.reversed', cancel: 'payout.cancelled' },
  cancel: { pending: 'payout.reopened', created: 'payout.reopened' },
  processing: {},
  failed: {},
};

/** The pools unpaid, pending payout and paid for a payout of 50 in each status. */
const poolsAt: Record<Status, [number, number, number]> = {
  pending: [0, 50, 0],
  created: [0, 50, 0],
  processing: [0, 50, 0],
  paid: [0, 0, 50],
  cancel: [50, 0, 0],
  failed: [50, 0, 0],
};

/** What a payout is before its gateway sets a status that only a gateway can set. */
const before = { processing: 'pending', failed: 'cancel' } as const;
const isOfGateway = (status: Status): status is keyof typeof before => status in before;
const setStatus = ({ id }: { id: number }, status: Status) =>
  app.site.database.transaction((tx) =>
    tx.execute(`update payouts set status = '${status}' where id = ${id}`),
  );

async function at(status: Status) {
  if (!isOfGateway(status)) return payouts.payoutAt(status);
  const payout = await payouts.payoutAt(before[status]);
  await setStatus(payout, status);
  return payout;
}

let lastOrder = 0;

/** A payout of an order whose case is open again, so that the review holds what it pays. */
async function inReview(status: Status) {
  const couponId = await payouts.coupon(0);
  const { code } = (await app.call(`/coupons/${couponId}`, { key: admin })).body;
  const caseId = await holdOrder(app, { id: ++lastOrder, code, total: 500 });
  const decide = (path: string, json: object) =>
    app.call(`${STORE}/cases/${caseId}/${path}`, { method: 'POST', key: admin, json });
  assert.equal((await decide('decide', { decision: 'clear' })).status, 200);
  const payout = await payouts.ofCoupon(couponId, isOfGateway(status) ? before[status] : status);
  assert.equal((await decide('reopen', {})).status, 200);
  if (isOfGateway(status)) await setStatus(payout, status);
  return payout;
}

/** Holds all changes back until this many have arrived, so that all of them have read the same status. */
async function holdUntilAsked(id: number, times: number): Promise<() => Promise<void>> {
  const isHeld = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  void app.site.database.transaction(async (tx) => {
    await lockPayout(tx, id);
    isHeld.resolve();
    await letGo.promise;
  });
  await isHeld.promise;
  const { mock: asked } = mock.method(app.site.database, 'transaction');
  return async () => {
    await eventually(() => assert.equal(asked.callCount(), times));
    asked.restore();
    letGo.resolve();
  };
}

describe('POST /payouts/{id}/status', () => {
  // No add-on changes an answer of the specification: a payout in review has the same transitions.
  const kinds = [
    { kind: 'a payout', make: at, held: 0 },
    { kind: 'a payout in review', make: inReview, held: 50 },
  ];
  for (const { kind, make, held } of kinds) {
    /** What is paid already is held once it comes back. */
    const poolsOf = (status: Status, isChanged: boolean) => {
      const [unpaid, pending, paid] = poolsAt[status];
      return [unpaid - (isChanged || status !== 'paid' ? held : 0), pending, paid];
    };
    /** What a review holds is not unpaid, so a cancelled payout cannot take it again. */
    const refusalFor = (from: Status, to: Status) => {
      if (from === to) return '400 svc_api_no_change';
      if (!told[from][to]) return '400 svc_api_invalid_transition';
      return from === 'cancel' && held > 0 ? '409 svc_api_insufficient_unpaid' : undefined;
    };
    for (const from of [...statuses, 'processing', 'failed'] as const) {
      for (const to of statuses) {
        const refused = refusalFor(from, to);
        const event = told[from][to];
        test(`${kind}, ${from} to ${to}: ${refused ?? `200, ${event}`}`, async () => {
          const { id, coupon_id } = await make(from);
          const head = await feedHead(app.site);
          const reply = await payouts.change(id, to);
          if (refused) {
            assert.equal(refusal(reply), refused);
            assert.deepEqual(await payouts.pools(coupon_id), poolsOf(from, false));
            assert.equal(await feedHead(app.site), head);
            return;
          }
          assert.equal(reply.status, 200, reply.text);
          assert.equal(reply.body.status, to);
          assert.equal(reply.body.date_paid !== null, to === 'paid');
          assert.deepEqual(reply.body, await payouts.get(id));
          assert.deepEqual(await payouts.pools(coupon_id), poolsOf(to, true));
          const [first, ...more] = await payouts.events(head);
          assert.deepEqual([first.event, first.data.from, first.data.status], [event, from, to]);
          assert.deepEqual(more, []);
        });
      }
    }
  }

  for (const to of ['processing', 'failed', 'cancelled', '']) {
    test(`400: ${to || 'an empty status'} is not a valid target`, async () => {
      const { id } = await payouts.payoutAt('pending');
      assert.equal(refusal(await payouts.change(id, to)), '400 rest_invalid_param');
    });
  }

  describe('the reference of a payment made by hand', () => {
    const pay = (id: number, transaction_id: unknown, status = 'paid') =>
      payouts.change(id, status, admin, { transaction_id });

    test('the record, the export, the event and the mail show it, trimmed', async () => {
      const { id } = await payouts.payoutAt('created');
      const head = await feedHead(app.site);
      const reply = await pay(id, '  SEPA 2026-11, Q&A 4711 ');
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.transaction_id, 'SEPA 2026-11, Q&A 4711');
      assert.deepEqual(await payouts.get(id), reply.body);
      const [event] = await payouts.events(head);
      assert.equal(event.data.transaction_id, 'SEPA 2026-11, Q&A 4711');
      const mail = (await outbox(app.site)).at(-1)!;
      assert.equal(mail.template, 'payout-paid');
      assert.match(mail.text, /^Reference: SEPA 2026-11, Q&A 4711$/m);
      const { text } = await app.call(`${STORE}/exports/payouts.csv`, { key: admin });
      assert.ok(text.includes('"SEPA 2026-11, Q&A 4711"'), text);
    });

    for (const blank of [undefined, '', '   ']) {
      test(`${JSON.stringify(blank)}: no reference, and no line for it in the mail`, async () => {
        const { id } = await payouts.payoutAt('pending');
        assert.equal((await pay(id, blank, 'created')).status, 200);
        assert.equal((await pay(id, blank)).body.transaction_id, '');
        assert.doesNotMatch((await outbox(app.site)).at(-1)!.text, /Reference/);
      });
    }

    for (const [what, wrong, status] of [
      ['101 characters', 'x'.repeat(101), 'paid'],
      ['a control character', 'a\tb', 'paid'],
      ['a line break', 'a\nb', 'paid'],
      ['a number', 4711, 'paid'],
      ['another status', 'SEPA 1', 'created'],
      ['a cancelled payout', 'SEPA 1', 'cancel'],
    ] as const) {
      test(`400 names the parameter, and nothing changes: ${what}`, async () => {
        const { id } = await payouts.payoutAt('pending');
        const reply = await pay(id, wrong, status);
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), ['transaction_id']);
        assert.equal((await payouts.get(id)).status, 'pending');
      });
    }
  });

  test('mails and events name the status in words', async () => {
    const head = await feedHead(app.site);
    const { id } = await payouts.payoutAt('created');
    await payouts.change(id, 'pending');
    await payouts.change(id, 'cancel');
    const infos = (await payouts.events(head)).map(({ info }) => info.replace(/^.*: /, ''));
    assert.deepEqual(infos, ['In review.', 'Approved, being paid.', 'In review.', 'Cancelled.']);
    const mails = (await outbox(app.site)).filter(({ to_address }) =>
      to_address.startsWith('maya@'),
    );
    const [reopened, cancelled] = mails.slice(-2);
    assert.match(reopened!.text, /^Status: Waiting for approval$/m);
    assert.doesNotMatch(reopened!.text + cancelled!.text, /pending|unpaid|hear from us/);
  });

  test('404: no such payout', async () => {
    assert.equal(refusal(await payouts.change(987_654, 'paid')), '404 svc_api_not_found');
  });

  describe('409 svc_api_insufficient_unpaid', () => {
    test('a cancelled payout stays cancelled if the balance no longer covers it', async () => {
      const { id, coupon_id } = await payouts.payoutAt('cancel');
      await payouts.earn(coupon_id, -0.01);
      for (const to of ['pending', 'created']) {
        const reply = await payouts.change(id, to);
        assert.equal(refusal(reply), '409 svc_api_insufficient_unpaid');
      }
      assert.deepEqual(await payouts.pools(coupon_id), [49.99, 0, 0]);
      assert.equal((await payouts.get(id)).status, 'cancel');
    });

    test('reopening two concurrently when the balance covers one: one 200, one 409', async () => {
      const first = await payouts.payoutAt('cancel', 30);
      await payouts.request(first.coupon_id);
      const open = await app.call(`/payouts?coupon_id=${first.coupon_id}&status=pending`, {
        key: admin,
      });
      const second = open.body[0];
      await payouts.change(second.id, 'cancel');
      const replies = await Promise.all(
        [first.id, second.id].map((id) => payouts.change(id, 'pending')),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
      assert.deepEqual(await payouts.pools(first.coupon_id), [0, 30, 0]);
    });

    test('reopening one while another is open is allowed', async () => {
      const first = await payouts.payoutAt('cancel', 30);
      const second = (await payouts.request(first.coupon_id)).body;
      await payouts.earn(first.coupon_id, 30);
      assert.equal((await payouts.change(first.id, 'created')).status, 200);
      assert.deepEqual(await payouts.pools(first.coupon_id), [0, 60, 0]);
      const again = await payouts.request(first.coupon_id);
      assert.deepEqual([again.status, again.body.id], [200, second.id]);
    });
  });

  for (const targets of [
    ['paid', 'paid', 'paid', 'paid'],
    ['created', 'paid', 'cancel'],
  ] as const) {
    test(`409 svc_api_conflict: of concurrent ${targets.join(', ')} one wins, the others change nothing`, async () => {
      const { id, coupon_id } = await payouts.payoutAt('pending');
      const head = await feedHead(app.site);
      const letGo = await holdUntilAsked(id, targets.length);
      const changes = Promise.all(targets.map((status) => payouts.change(id, status)));
      await letGo();
      const [winner, ...others] = (await changes).toSorted((a, b) => a.status - b.status);
      assert.equal(winner!.status, 200);
      for (const loser of others) assert.equal(refusal(loser), '409 svc_api_conflict');
      assert.equal((await payouts.events(head)).length, 1);
      assert.deepEqual(await payouts.pools(coupon_id), poolsAt[winner!.body.status as Status]);
    });
  }

  test('16 concurrent requests: every 200 is a legal step from the one before, and money moves once each', async () => {
    const { id, coupon_id } = await payouts.payoutAt('pending');
    const head = await feedHead(app.site);
    const targets = Array.from({ length: 16 }, (_, i) => statuses[i % statuses.length]!);
    const replies = await Promise.all(targets.map((status) => payouts.change(id, status)));
    const events = await payouts.events(head);
    const good = replies.filter(({ status }) => status === 200);
    assert.equal(events.length, good.length);
    let status: Status = 'pending';
    for (const { event, data } of events) {
      assert.equal(data.from, status);
      assert.equal(told[status][data.status as Status], event);
      status = data.status;
    }
    assert.equal((await payouts.get(id)).status, status);
    assert.deepEqual(await payouts.pools(coupon_id), poolsAt[status]);
    for (const reply of replies.filter((r) => r.status !== 200)) {
      assert.match(refusal(reply), /^(400 svc_api_(no_change|invalid_transition)|409 svc_api_)/);
    }
    await payouts.assertClean();
  });

  test('every change sends a mail, each time', async () => {
    const { id } = await payouts.payoutAt('pending', 77);
    const steps = [
      ['created', 'payout-created'],
      ['pending', 'payout-reopened'],
      ['paid', 'payout-paid'],
      ['pending', 'payout-reversed'],
      ['paid', 'payout-paid'],
      ['cancel', 'payout-cancelled'],
      ['created', 'payout-reopened'],
    ] as const;
    for (const [status] of steps) assert.equal((await payouts.change(id, status)).status, 200);
    const { body } = await app.call('/svc/store/v1/outbox?per_page=100', { key: admin });
    const about = body.filter((mail: any) => mail.subject.includes('77.00'));
    assert.deepEqual(
      about.map((mail: any) => mail.template).toSorted(),
      ['payout-requested', 'payout-to-review', ...steps.map(([, mail]) => mail)].toSorted(),
    );
  });
});
