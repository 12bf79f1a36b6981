import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { system } from '../../../src/kernel/declare/caller.ts';
import { testOnServer } from '../../../test/postgres/file-or-server.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';
import { openRequested, type Opened } from '../payout/open-payouts.ts';

const payouts = await openPayoutApp();
const { app, admin, maya } = payouts;

describe('POST /payouts', () => {
  describe('201', () => {
    test("the full unpaid balance, by the coupon's affiliate", async () => {
      const coupon = await payouts.coupon(84.2);
      const head = await feedHead(app.site);
      const { status, body, headers } = await payouts.request(coupon, maya);
      assert.equal(status, 201);
      assert.equal(headers.get('x-svc-existing'), null);
      const { id, date, coupon_code, ...rest } = body;
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.deepEqual(rest, {
        user: { id: idOf('maya'), display_name: 'maya' },
        coupon_id: coupon,
        amount: 84.2,
        method: 'Bank transfer',
        method_type: 'banktransfer',
        status: 'pending',
        has_details: true,
        transaction_id: '',
        invoice_id: 0,
        date_paid: null,
        failure_reason: null,
        gateway_triggered: false,
      });
      assert.deepEqual(await payouts.pools(coupon), [0, 84.2, 0]);
      const [event] = await payouts.events(head);
      assert.equal(event.event, 'payout.requested');
      assert.deepEqual(event.data, {
        payout_id: id,
        user_id: idOf('maya'),
        coupon_id: coupon,
        amount: 84.2,
        currency: 'USD',
        method_type: 'banktransfer',
        status: 'pending',
        from: null,
        date,
        date_paid: null,
        transaction_id: '',
      });
      assert.ok(coupon_code);
    });

    test('with few statements', async () => {
      const coupons: number[] = [];
      for (let i = 0; i < 5; i++) coupons.push(await payouts.coupon(20));
      const count = await statementsOf(app.site.database, async () => {
        assert.equal((await payouts.request(coupons.pop()!, maya)).status, 201);
      });
      // A server gets both mails with one.
      assert.equal(count, app.site.database.dialect.name === 'sqlite' ? 16 : 15);
    });

    test('mails to the affiliate and to the administrators', async () => {
      const { body } = await payouts.request(await payouts.coupon(12));
      const outbox = await app.call(`${STORE}/outbox?per_page=4`, { key: admin });
      const sent = outbox.body.filter((mail: any) => mail.subject.includes('$12.00'));
      assert.deepEqual(sent.map((mail: any) => `${mail.template} ${mail.to}`).sort(), [
        'payout-requested maya@test.example',
        'payout-to-review admin@test.example',
      ]);
      assert.ok(sent.every((mail: any) => !mail.text.includes('DE89')));
      const review = sent.find((mail: any) => mail.template === 'payout-to-review');
      assert.ok(review.text.includes(`/console/payouts/${body.id}\n`), review.text);
      assert.equal(body.amount, 12);
    });

    test('the mail is in the language of the affiliate, unless notices are switched off', async () => {
      const account = (json: object) =>
        app.call(`${STORE}/account`, { method: 'PATCH', key: maya, json });
      const subjects = async () => {
        await payouts.request(await payouts.coupon(14));
        const outbox = await app.call(`${STORE}/outbox?per_page=2`, { key: admin });
        return outbox.body
          .filter((mail: any) => mail.to === 'maya@test.example')
          .map((mail: any) => mail.subject.replaceAll('\u00a0', ' '));
      };
      await account({ language: 'de' });
      assert.deepEqual(await subjects(), ['Ihre Auszahlungsanfrage über 14,00 $ ist eingegangen']);
      await account({ language: '', notifications: { payouts: false } });
      assert.deepEqual(await subjects(), []);
      await account({ notifications: { payouts: true } });
    });

    test('without details, if the store does not require them', async () => {
      await app.set({ 'payouts.details_required': false });
      const { status, body } = await payouts.request(await payouts.coupon(5, idOf('tomas')));
      await app.set({ 'payouts.details_required': true });
      assert.equal(status, 201);
      assert.deepEqual([body.has_details, body.method_type], [false, '']);
    });
  });

  describe('200', () => {
    test('the open payout again, in each open status, with X-Svc-Existing', async () => {
      for (const status of ['pending', 'created']) {
        const open = await payouts.payoutAt(status);
        await payouts.earn(open.coupon_id, 7);
        const head = await feedHead(app.site);
        const reply = await payouts.request(open.coupon_id, maya);
        assert.equal(reply.status, 200);
        assert.equal(reply.headers.get('x-svc-existing'), '1');
        assert.deepEqual(reply.body, await payouts.get(open.id));
        assert.ok(!('gateway_triggered' in reply.body));
        assert.equal(await feedHead(app.site), head);
      }
    });

    test('a paid or cancelled payout is not open: a new one is created', async () => {
      for (const status of ['paid', 'cancel']) {
        const settled = await payouts.payoutAt(status);
        await payouts.earn(settled.coupon_id, 7);
        assert.equal((await payouts.request(settled.coupon_id)).status, 201);
      }
    });
  });

  test('an open payout of a former affiliate is neither shown to the next one nor in the way', async () => {
    const own = await openPayoutApp({ settings: { 'payouts.details_required': false } });
    const { id, coupon_id } = await own.payoutAt('pending');
    const json = { user_id: idOf('tomas'), move_balance: true };
    const path = `${STORE}/coupons/${coupon_id}`;
    await own.app.call(path, { method: 'PATCH', key: own.admin, json });
    const tomas = await own.app.key('tomas', 'read,write');
    assert.equal(refusal(await own.request(coupon_id, tomas)), '400 svc_api_no_balance');
    await own.earn(coupon_id, 12);
    const { status, body } = await own.request(coupon_id, tomas);
    assert.deepEqual([status, body.user.id, body.amount], [201, idOf('tomas'), 12]);
    assert.notEqual(body.id, id);
    await own.change(id, 'paid');
    await own.change(body.id, 'paid');
    await own.assertClean();
  });

  describe('concurrent requests', () => {
    test('each gets its own answer, and a refusal does not affect the others', async () => {
      const own = await openPayoutApp();
      const asked = await Promise.all(
        Array.from({ length: 24 }, async (_, i) => {
          if (i % 4 === 0) return { status: 400, coupon: await own.coupon(0) };
          if (i % 4 === 1)
            return { status: 200, coupon: (await own.payoutAt('pending')).coupon_id };
          return { status: 201, coupon: await own.coupon(10 + i) };
        }),
      );
      const head = await feedHead(own.app.site);
      const replies = await Promise.all(asked.map(({ coupon }) => own.request(coupon)));
      assert.deepEqual(
        replies.map(({ status }) => status),
        asked.map(({ status }) => status),
      );
      for (const [i, { status, coupon }] of asked.entries()) {
        const { body } = replies[i]!;
        if (status === 400) assert.equal(refusal(replies[i]!), '400 svc_api_no_balance');
        else assert.equal(body.coupon_id, coupon);
        if (status === 201) {
          assert.equal(body.amount, 10 + i);
          assert.deepEqual(await own.pools(coupon), [0, 10 + i, 0]);
          assert.deepEqual({ ...(await own.get(body.id)), gateway_triggered: false }, body);
        }
      }
      const created = replies.filter(({ status }) => status === 201).map(({ body }) => body.id);
      const emitted = (await own.events(head)).map(({ data }) => data.payout_id);
      assert.deepEqual(emitted.sort(), created.sort());
      const { headers } = await own.app.call('/payouts?per_page=1', { key: own.admin });
      assert.equal(headers.get('x-svc-total'), '18');
      const outbox = await own.app.call(`${STORE}/outbox?per_page=1`, { key: own.admin });
      // One mail per payout to the affiliate and one to the administrator, and one about the details.
      assert.equal(outbox.headers.get('x-svc-total'), String(2 * 18 + 1));
      await own.assertClean();
    });

    test('those that wait at the same moment share their statements', async () => {
      const own = await openPayoutApp();
      const coupons: number[] = [];
      for (let i = 0; i < 5 * 16; i++) coupons.push(await own.coupon(20));
      const count = await statementsOf(own.app.site.database, async () => {
        const replies = await Promise.all(coupons.splice(0, 16).map((one) => own.request(one)));
        assert.ok(replies.every(({ status }) => status === 201));
      });
      // SQLite runs one for each row that is written.
      const each = own.app.site.database.dialect.name === 'sqlite' ? 13 : 4;
      assert.ok(count < 16 * each, `${count} statements`);
      await own.assertClean();
    });

    test('transactions for one coupon open one payout, from any instance', async () => {
      const own = await openPayoutApp();
      const account = { coupon_id: await own.coupon(30), user_id: idOf('maya') };
      const request = { account, caller: system, nowMs: Date.now() };
      const { site } = own.app;
      const open = () => site.database.transaction((tx) => openRequested(tx, site, [request]));
      const results = (await Promise.all([open(), open(), open()])).flat() as Opened[];
      assert.equal(results.filter(({ isNew }) => isNew).length, 1);
      assert.equal(new Set(results.map(({ payout }) => payout.id)).size, 1);
      assert.deepEqual(await own.pools(account.coupon_id), [0, 30, 0]);
      await own.assertClean();
    });
  });

  describe('the rules, in order', () => {
    test('each rule refuses once the rules before it are satisfied', async () => {
      const coupon = await payouts.coupon(0, null);
      const owned = await payouts.coupon(-3, idOf('tomas'));
      const tomas = await app.key('tomas', 'write');
      await app.set({
        'payouts.enabled': false,
        'payouts.requests_enabled': false,
        'payouts.threshold': 100,
        'payouts.methods': ['credit'],
        'payouts.invoice_methods': ['banktransfer'],
      });
      const refused = async (id: number, key: string) => refusal(await payouts.request(id, key));
      assert.equal(await refused(owned, tomas), '400 svc_api_payouts_disabled');
      assert.equal(await refused(owned, admin), '400 svc_api_payouts_disabled');
      await app.set({ 'payouts.enabled': true });
      assert.equal(await refused(owned, tomas), '403 svc_api_requests_disabled');
      assert.equal(await refused(coupon, admin), '400 svc_api_no_affiliate');
      await app.set({ 'payouts.requests_enabled': true });
      assert.equal(await refused(owned, tomas), '400 svc_api_no_balance');
      await payouts.earn(owned, 3);
      assert.equal(await refused(owned, tomas), '400 svc_api_no_balance');
      await payouts.earn(owned, 99.99);
      assert.equal(await refused(owned, tomas), '400 svc_api_below_threshold');
      assert.equal(await refused(owned, admin), '400 svc_api_below_threshold');
      await payouts.earn(owned, 0.01);
      assert.equal(await refused(owned, tomas), '400 svc_api_no_payout_details');
      await payouts.setDetails('tomas', bankDetails);
      assert.equal(await refused(owned, tomas), '400 svc_api_method_disabled');
      assert.equal(await refused(owned, admin), '400 svc_api_invoice_required');
      await app.set({ 'payouts.methods': ['banktransfer'] });
      assert.equal(await refused(owned, tomas), '400 svc_api_invoice_required');
      await app.set({ 'payouts.invoice_methods': [] });
      const head = await feedHead(app.site);
      const { status, body } = await payouts.request(owned, tomas);
      assert.deepEqual([status, body.amount], [201, 100]);
      assert.ok((await feedHead(app.site)) > head);
      await app.set({ 'payouts.threshold': 0, 'payouts.methods': ['banktransfer', 'credit'] });
    });

    test('a refusal changes nothing', async () => {
      const coupon = await payouts.coupon(10);
      await app.set({ 'payouts.threshold': 10.01 });
      const head = await feedHead(app.site);
      assert.equal(refusal(await payouts.request(coupon)), '400 svc_api_below_threshold');
      await app.set({ 'payouts.threshold': 0 });
      assert.deepEqual(await payouts.pools(coupon), [10, 0, 0]);
      assert.equal((await payouts.events(head)).length, 0);
    });

    test('409 svc_api_not_created: a write that fails changes nothing', async () => {
      const own = await openPayoutApp();
      await own.payoutAt('pending');
      const coupon = await own.coupon(20);
      const execute = (statement: string) =>
        own.app.site.database.transaction((tx) => tx.execute(statement));
      await execute('create unique index only_one on payouts (method_type)');
      const head = await feedHead(own.app.site);
      assert.equal(refusal(await own.request(coupon)), '409 svc_api_not_created');
      assert.deepEqual(await own.pools(coupon), [20, 0, 0]);
      assert.equal(await feedHead(own.app.site), head);
      assert.ok(own.app.logs.some((line) => line.includes('could not be stored')));
      await execute('drop index only_one');
      assert.equal((await own.request(coupon)).status, 201);
    });

    testOnServer(
      '500: a commit whose result was lost is not refused, and can be repeated',
      async () => {
        const own = await openPayoutApp();
        const coupon = await own.coupon(20);
        const execute = (statement: string) =>
          own.app.site.database.transaction((tx) => tx.execute(statement));
        await execute(
          `create function end_session() returns trigger language plpgsql as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
        );
        await execute(
          `create constraint trigger at_commit after insert on payouts
         deferrable initially deferred for each row execute function end_session()`,
        );
        assert.equal(refusal(await own.request(coupon)), '500 svc_api_server_error');
        await execute('drop trigger at_commit on payouts');
        assert.equal((await own.request(coupon)).status, 201);
      },
    );

    test("409 svc_api_not_created: an extension's refusal, with its message", async () => {
      const extensions = tempFile(
        'refuses.mjs',
        `export default { name: 'limits', refusePayout: ({ amount }) =>
           amount > 20 ? 'Ask the owner first.' : undefined };`,
      );
      const own = await openPayoutApp({ config: { extensions } });
      const coupon = await own.coupon(20.01);
      const reply = await own.request(coupon);
      assert.equal(refusal(reply), '409 svc_api_not_created');
      assert.equal(reply.body.message, 'Ask the owner first.');
      assert.deepEqual(await own.pools(coupon), [20.01, 0, 0]);
      assert.equal((await own.request(await own.coupon(20))).status, 201);
    });
  });

  test('403: a key without the write scope', async () => {
    const reply = await payouts.request(await payouts.coupon(5), await app.key('maya', 'read'));
    assert.equal(refusal(reply), '403 svc_api_insufficient_scope');
  });

  test("404: another affiliate's coupon looks like an unknown one", async () => {
    const theirs = await payouts.request(await payouts.coupon(5, idOf('tomas')), maya);
    const none = await payouts.request(987_654, maya);
    assert.deepEqual([theirs.status, theirs.text], [404, none.text]);
  });

  test('400: a balance that moves with its coupon during the request is not paid to the previous affiliate', async () => {
    const extensions = tempFile(
      'hands-over.mjs',
      `export default { name: 'hands over', refusePayout: () => globalThis.handOver() };`,
    );
    const own = await openPayoutApp({ config: { extensions } });
    const coupon = await own.coupon(30);
    const patch = { user_id: idOf('tomas'), move_balance: true };
    const handOver = async () => {
      const path = `${STORE}/coupons/${coupon}`;
      const reply = await own.app.call(path, { method: 'PATCH', key: own.admin, json: patch });
      assert.equal(reply.status, 200, reply.text);
    };
    Object.assign(globalThis, { handOver });
    assert.equal(refusal(await own.request(coupon, own.maya)), '400 svc_api_no_balance');
    assert.deepEqual(await own.pools(coupon), [30, 0, 0]);
  });

  test('404: in the free edition, and for the /payouts endpoints alone when they are disabled', async () => {
    const free = await openTestApp({ config: { edition: 'free' } });
    const key = await free.key('admin', 'read,write');
    const reply = await free.call('/payouts', { method: 'POST', key, json: { coupon_id: 1 } });
    assert.equal(refusal(reply), '404 rest_no_route');

    await app.set({ 'api.payouts_endpoints': false });
    for (const [method, path] of [
      ['GET', '/payouts'],
      ['GET', '/payouts/1'],
      ['POST', '/payouts'],
      ['POST', '/payouts/1/status'],
    ] as const) {
      const json = method === 'POST' ? { coupon_id: 1, status: 'paid' } : undefined;
      const off = await app.call(path, { method, key: admin, json });
      assert.equal(refusal(off), '404 rest_no_route', `${method} ${path}`);
    }
    const details = `${STORE}/affiliates/${idOf('maya')}/payout-details`;
    assert.equal((await app.call(details, { key: admin })).status, 200);
    const { body } = await app.call('/openapi');
    assert.ok(Object.keys(body.paths).every((path) => !path.startsWith('/payouts')));
    await app.set({ 'api.payouts_endpoints': true });
    assert.equal((await app.call('/payouts', { key: admin })).status, 200);
  });

  describe('at once', () => {
    test('32 requests: one 201, the others 200 or 409, one payout', async () => {
      const coupon = await payouts.coupon(40);
      const replies = await Promise.all(Array.from({ length: 32 }, () => payouts.request(coupon)));
      const statuses = replies.map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 201).length, 1);
      assert.ok(statuses.every((status) => [201, 200, 409].includes(status)));
      for (const reply of replies.filter(({ status }) => status === 409)) {
        assert.equal(reply.body.code, 'svc_api_in_progress');
      }
      const listed = await app.call(`/payouts?coupon_id=${coupon}`, { key: admin });
      assert.equal(listed.body.length, 1);
      assert.deepEqual(await payouts.pools(coupon), [0, 40, 0]);
      await payouts.assertClean();
    });
  });

  test('501: the tables are missing; the rest of the service keeps working', async () => {
    const broken = await openPayoutApp();
    const coupon = await broken.coupon(5);
    await broken.app.site.database.transaction(async (tx) => {
      const referring = ['payout_calls', 'payout_changes', 'payout_file_items'];
      for (const table of [...referring, 'payouts', 'payout_days']) {
        await tx.execute(`drop table ${table}`);
      }
    });
    assert.equal(refusal(await broken.request(coupon)), '501 svc_api_unavailable');
    for (const path of ['/payouts', '/payouts/1', `${STORE}/exports/payouts.csv`]) {
      const reply = await broken.app.call(path, { key: broken.admin });
      assert.equal(refusal(reply), '501 svc_api_unavailable', path);
    }
    assert.equal(refusal(await broken.change(1, 'paid')), '501 svc_api_unavailable');
    const report = await broken.app.call('/reports/summary', { key: broken.admin });
    assert.equal(report.status, 200);
    assert.ok(!('payouts' in report.body));
    assert.deepEqual(await broken.pools(coupon), [5, 0, 0]);
    await broken.assertClean();
  });
});

test('requests of one batch that lead to the same account never open two payouts', async () => {
  const { site } = app;
  const coupon_id = await payouts.coupon(30);
  const request = (user_id: number) => ({
    account: { coupon_id, user_id },
    caller: system,
    nowMs: site.clock(),
  });
  // The first was authorised for an affiliate that the coupon has no account of any more.
  const waiting = [request(idOf('tomas')), request(idOf('maya'))];
  // The ledger refuses the second, the batch is rolled back, and each request runs again alone.
  await assert.rejects(
    site.database.transaction((tx) => openRequested(tx, site, waiting)),
    /no longer covers the amount/,
  );
  assert.deepEqual(await payouts.pools(coupon_id), [30, 0, 0]);
});
