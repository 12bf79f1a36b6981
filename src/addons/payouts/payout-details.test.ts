import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/harness.ts';
import { query } from '../../db/query.ts';

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

    test('kept encrypted; told without the destination; the same again is nothing', async () => {
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

    test('mail to the affiliate, and to the address that was paid to before', async () => {
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

  describe('400', () => {
    const faulty: [string, object, string][] = [
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
    for (const [name, json, field] of faulty) {
      test(name, async () => {
        const head = await feedHead(app.site);
        const reply = await put(idOf('maya'), json);
        assert.equal(refusal(reply), '400 rest_invalid_param', reply.text);
        assert.ok(Object.keys(reply.body.data.params).every((key) => key.startsWith(field)));
        assert.doesNotMatch(reply.text, /37040044|1234/, 'what was sent is not repeated');
        assert.equal(await feedHead(app.site), head);
      });
    }

    test('an affiliate cannot choose a method that is switched off; an admin can', async () => {
      const json = { method_type: 'paypal', details: { email: 'maya@pay.example' } };
      assert.equal(refusal(await put(idOf('maya'), json, maya)), '400 svc_api_method_disabled');
      assert.equal((await put(idOf('maya'), json)).status, 200);
    });
  });

  test('400: a method that does not exist cannot be switched on', async () => {
    const reply = await app.call('/svc/store/v1/settings', {
      method: 'PATCH',
      key: admin,
      json: { 'payouts.methods': ['banktransfer', 'paypall'] },
    });
    assert.equal(refusal(reply), '400 rest_invalid_param');
    assert.match(reply.body.data.params['payouts.methods'], /paypall.*paypal/);
  });

  test('403: the write scope, for reading too; a manager with an administrator', async () => {
    const reader = await app.key('maya', 'read');
    assert.equal(refusal(await get(idOf('maya'), reader)), '403 svc_api_insufficient_scope');
    const json = { code: 'BOSS', user_id: idOf('admin') };
    await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
    const manager = await app.key('manager', 'write');
    assert.equal(refusal(await put(idOf('admin'), bank, manager)), '403 svc_api_forbidden');
  });

  test("404: somebody else's are like nobody's", async () => {
    const theirs = await get(idOf('tomas'), maya);
    assert.deepEqual([theirs.status, theirs.text], [404, (await get(987_654, maya)).text]);
    assert.equal((await put(idOf('tomas'), bank, maya)).status, 404);
    assert.equal((await put(idOf('carla'), bank)).status, 404);
  });
});
