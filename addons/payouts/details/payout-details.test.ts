import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { adjustCoupon } from '../../../src/modules/ledger/adjust-coupon.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'write');
const IBAN = 'DE89370400440532013000';
const path = (id: number) => `/svc/store/v1/affiliates/${id}/payout-details`;
const get = (id: number, key = admin) => app.call(path(id), { key });
const put = (id: number, json: object, key = admin) =>
  app.call(path(id), { method: 'PUT', key, json });
const bank = { method_type: 'banktransfer', details: { account_holder: 'Maya O.', iban: IBAN } };
const mailsTo = async (subject: RegExp) => {
  const { body } = await app.call('/svc/store/v1/outbox?per_page=100', { key: admin });
  return body.filter((mail: any) => subject.test(mail.subject)).map((mail: any) => mail.to);
};

describe('payout details', () => {
  describe('200', () => {
    test('saved by the affiliate, read back masked', async () => {
      const none = { method_type: '', method: '', has_details: false, masked: '' };
      assert.deepEqual((await get(idOf('maya'), maya)).body, none);
      const { status, body, text } = await put(idOf('maya'), bank, maya);
      assert.equal(status, 200, text);
      assert.equal(body.has_details, true);
      assert.equal(body.method, 'Bank transfer');
      assert.match(body.masked, /3000$/);
      assert.doesNotMatch(text, /0532/);
      assert.deepEqual((await get(idOf('maya'))).body, body);
    });

    test('stored encrypted, emitted without the destination; saving the same again changes nothing', async () => {
      const stored = query<object, { details: string }>((db) =>
        db.selectFrom('payout_details').select('details').where('user_id', '=', idOf('maya')),
      );
      const row = await app.site.database.read.first(stored, {});
      assert.doesNotMatch(row!.details, /3000|Maya/);
      const { body } = await app.call('/events?event=affiliate.payout_details_updated', {
        key: admin,
      });
      assert.deepEqual(body[0].data, { user_id: idOf('maya'), method_type: 'banktransfer' });
      const head = await feedHead(app.site);
      assert.equal((await put(idOf('maya'), bank)).status, 200);
      assert.equal(await feedHead(app.site), head);
    });

    test('mails to the affiliate and to the previous destination', async () => {
      await app.set({ 'payouts.methods': ['banktransfer', 'credit', 'paypal'] });
      await put(idOf('tomas'), { method_type: 'paypal', details: { email: 'old@pay.example' } });
      await put(idOf('tomas'), { method_type: 'paypal', details: { email: 'new@pay.example' } });
      assert.deepEqual((await mailsTo(/payout details/)).slice(0, 3).sort(), [
        'old@pay.example',
        'tomas@test.example',
        'tomas@test.example',
      ]);
      await app.set({ 'payouts.methods': ['banktransfer', 'credit'] });
    });
  });

  describe('reveal=true', () => {
    const reveal = (id: number, key: string, more = '') =>
      app.call(`${path(id)}?reveal=true${more}`, { key });
    const revealed = async (after: number) =>
      (await app.call(`/events?after=${after}&event=payout_details.revealed`, { key: admin })).body;
    const payoutOf = async (id: number) => {
      const json = { code: `REVEAL${id}-${Math.random()}`, user_id: id };
      const coupon = await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
      await invoke(app.site, adjustCoupon, { id: coupon.body.id, amount: 20, note: 'Test' });
      const asked = { coupon_id: coupon.body.id };
      return (await app.call('/payouts', { method: 'POST', key: admin, json: asked })).body.id;
    };

    test('an admin with the manage scope gets the destination; the event names the admin and the affiliate', async () => {
      await put(idOf('maya'), bank);
      const head = await feedHead(app.site);
      for (const login of ['admin', 'manager']) {
        const reply = await reveal(idOf('maya'), await app.key(login, 'write,manage'));
        assert.equal(reply.status, 200, reply.text);
        assert.deepEqual(reply.body.details, bank.details);
        assert.equal(reply.headers.get('cache-control'), 'no-store');
        assert.equal(reply.headers.get('etag'), null);
      }
      const events = await revealed(head);
      assert.deepEqual(
        events.map((event: any) => [event.object_id, event.user_id, event.data]),
        ['admin', 'manager'].map((login) => [
          idOf('maya'),
          idOf(login),
          {
            user_id: idOf('maya'),
            revealed_by: idOf(login),
            method_type: 'banktransfer',
            payout_id: null,
          },
        ]),
      );
      assert.doesNotMatch(JSON.stringify(events), /DE89|3000|Maya O/);
      assert.deepEqual(await mailsTo(/were viewed/), [], 'no mail unless the site wants it');
    });

    test('of a payout: the destination at the time of the request, not the one saved since', async () => {
      await put(idOf('maya'), bank);
      const payout = await payoutOf(idOf('maya'));
      const later = { account_holder: 'Maya O.', iban: 'GB82WEST12345698765432' };
      await put(idOf('maya'), { ...bank, details: later });
      assert.deepEqual((await reveal(idOf('maya'), admin)).body.details, later);
      const head = await feedHead(app.site);
      const reply = await reveal(idOf('maya'), admin, `&payout_id=${payout}`);
      assert.deepEqual(reply.body.details, bank.details);
      assert.deepEqual((await revealed(head))[0].data.payout_id, payout);
      const masked = await app.call(`${path(idOf('maya'))}?payout_id=${payout}`, { key: maya });
      assert.match(masked.body.masked, /^DE…3000$/);
      for (const [id, key] of [
        [idOf('tomas'), admin],
        [idOf('maya'), admin],
      ] as const) {
        const other = id === idOf('maya') ? 987_654 : payout;
        const refused = await reveal(id, key, `&payout_id=${other}`);
        assert.equal(refusal(refused), '404 svc_api_not_found');
      }
    });

    test('the affiliate sees its own masked, and no event is emitted', async () => {
      await put(idOf('maya'), bank);
      const head = await feedHead(app.site);
      const self = await reveal(idOf('maya'), await app.key('maya', 'write,manage'));
      assert.deepEqual(self.body, (await get(idOf('maya'))).body);
      assert.doesNotMatch(self.text, /0532|Maya O/);
      assert.deepEqual(await revealed(head), []);
    });

    test('403 and 404 for other callers, and no event is emitted', async () => {
      const json = { code: 'CHIEF', user_id: idOf('admin') };
      await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
      assert.equal((await put(idOf('admin'), bank)).status, 200);
      const head = await feedHead(app.site);
      const writer = await app.key('admin', 'read,write');
      const lacking = '403 svc_api_insufficient_scope';
      assert.equal(refusal(await reveal(idOf('maya'), writer)), lacking);
      assert.equal(refusal(await reveal(idOf('maya'), maya)), lacking);
      const manager = await app.key('manager', 'write,manage');
      assert.equal(refusal(await reveal(idOf('admin'), manager)), '403 svc_api_forbidden');
      const tomas = await app.key('tomas', 'write,manage');
      const theirs = await reveal(idOf('maya'), tomas);
      assert.deepEqual([theirs.status, theirs.text], [404, (await reveal(987_654, tomas)).text]);
      assert.equal(refusal(await app.call(`${path(idOf('maya'))}?reveal=true`)).slice(0, 3), '401');
      assert.deepEqual(await revealed(head), []);
    });

    test('with payouts.reveal_mail the affiliate gets a mail', async () => {
      await app.set({ 'payouts.reveal_mail': true });
      await reveal(idOf('maya'), admin);
      assert.deepEqual(await mailsTo(/were viewed/), ['maya@test.example']);
      await app.set({ 'payouts.reveal_mail': false });
    });

    test('nothing saved: nothing to reveal, and no event is emitted', async () => {
      const { id } = (
        await app.call('/svc/store/v1/affiliates', {
          method: 'POST',
          key: admin,
          json: { login: 'fresh', email: 'fresh@test.example' },
        })
      ).body;
      const head = await feedHead(app.site);
      const reply = await reveal(id, admin);
      assert.deepEqual([reply.status, reply.body.details], [200, undefined]);
      assert.equal(await feedHead(app.site), head);
    });
  });

  describe('400', () => {
    const invalid: [string, object, string][] = [
      ['a method that does not exist', { method_type: 'banktransfr', details: {} }, 'method_type'],
      [
        'a wrong check digit',
        { ...bank, details: { ...bank.details, iban: 'DE88370400440532013000' } },
        'details',
      ],
      ['a field too many', { ...bank, details: { ...bank.details, pin: '1234' } }, 'details'],
      ['a field too few', { ...bank, details: { account_holder: 'M' } }, 'details'],
      [
        'an address that is none',
        { method_type: 'paypal', details: { email: 'nobody' } },
        'details',
      ],
    ];
    for (const [name, json, field] of invalid) {
      test(name, async () => {
        const head = await feedHead(app.site);
        const reply = await put(idOf('maya'), json);
        assert.equal(refusal(reply), '400 rest_invalid_param', reply.text);
        assert.ok(Object.keys(reply.body.data.params).every((key) => key.startsWith(field)));
        assert.doesNotMatch(reply.text, /37040044|1234/, 'what was sent is not repeated');
        assert.equal(await feedHead(app.site), head);
      });
    }

    test('an affiliate cannot choose a disabled method; an admin can', async () => {
      const json = { method_type: 'paypal', details: { email: 'maya@pay.example' } };
      assert.equal(refusal(await put(idOf('maya'), json, maya)), '400 svc_api_method_disabled');
      assert.equal((await put(idOf('maya'), json)).status, 200);
    });
  });

  test('400: a method that does not exist cannot be enabled', async () => {
    const reply = await app.call('/svc/store/v1/settings', {
      method: 'PATCH',
      key: admin,
      json: { 'payouts.methods': ['banktransfer', 'paypall'] },
    });
    assert.equal(refusal(reply), '400 rest_invalid_param');
    assert.match(reply.body.data.params['payouts.methods'], /paypall.*paypal/);
  });

  test("403: without the write scope, even to read; for a manager with an administrator's details", async () => {
    const reader = await app.key('maya', 'read');
    assert.equal(refusal(await get(idOf('maya'), reader)), '403 svc_api_insufficient_scope');
    const json = { code: 'BOSS', user_id: idOf('admin') };
    await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
    const manager = await app.key('manager', 'write');
    assert.equal(refusal(await put(idOf('admin'), bank, manager)), '403 svc_api_forbidden');
  });

  test("404: another affiliate's details look like those of an unknown one", async () => {
    const theirs = await get(idOf('tomas'), maya);
    assert.deepEqual([theirs.status, theirs.text], [404, (await get(987_654, maya)).text]);
    assert.equal((await put(idOf('tomas'), bank, maya)).status, 404);
    assert.equal((await put(idOf('carla'), bank)).status, 404);
  });
});
