import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const path = `${STORE}/account/keys`;
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

describe('own API keys', () => {
  test('a session creates a key that reads its own records and nothing else', async () => {
    const session = await app.signIn('maya');
    const head = await feedHead(app.site);
    const json = { description: 'My spreadsheet' };
    const { status, body } = await app.call(path, { method: 'POST', session, json });
    assert.equal(status, 201);
    assert.deepEqual([body.user_id, body.scopes, body.status], [idOf('maya'), ['read'], 'active']);
    const key: string = body.token;

    assert.equal((await app.call('/me', { key })).body.user.id, idOf('maya'));
    assert.equal((await app.call(`/affiliates/${idOf('maya')}`, { key })).status, 200);
    assert.equal((await app.call(`/affiliates/${idOf('tomas')}`, { key })).status, 404);
    const refused = '403 svc_api_insufficient_scope';
    assert.equal(refusal(await app.call(path, { method: 'POST', key, json })), refused);
    assert.equal(refusal(await app.call(`${path}/${body.id}`, { method: 'DELETE', key })), refused);

    const events = (await app.call(`/events?after=${head}`, { key: admin })).body;
    const created = events.find((event: any) => event.event === 'key.created');
    assert.deepEqual(created.data.key_id, body.id);
    const outbox = (await app.call(`${STORE}/outbox?per_page=5`, { key: admin })).body;
    const mail = outbox.find((sent: any) => sent.template === 'account-key-created');
    assert.equal(mail.to, 'maya@test.example');
    assert.ok(mail.text.includes('My spreadsheet') && !mail.text.includes(key));

    const listed = await app.call(path, { session });
    assert.ok(listed.body.some((one: any) => one.id === body.id));
    assert.ok(!listed.text.includes(key));
  });

  test('revoked by its owner only, also while suspended', async () => {
    const session = await app.signIn('maya');
    const { id, token } = (await app.call(path, { method: 'POST', session, json: {} })).body;
    const tomas = await app.signIn('tomas');
    const gone = { method: 'DELETE', session: tomas };
    assert.equal((await app.call(`${path}/${id}`, gone)).status, 404);
    assert.equal((await app.call(path, { session: tomas })).body.length, 0);
    const affiliate = `${STORE}/affiliates/${idOf('maya')}`;
    const suspend = (status: string) =>
      app.call(affiliate, { method: 'PATCH', key: admin, json: { status } });
    await suspend('suspended');
    assert.equal(
      refusal(await app.call(path, { method: 'POST', session, json: {} })),
      '403 svc_api_suspended',
    );
    for (let i = 0; i < 2; i++) {
      const { status, body } = await app.call(`${path}/${id}`, { method: 'DELETE', session });
      assert.deepEqual([status, body], [200, { revoked: true }]);
    }
    await suspend('active');
    assert.equal((await app.call('/me', { key: token })).status, 401);
  });

  test('needs a proof of the last ten minutes', async () => {
    const session = await app.signIn('maya');
    app.advance(11 * 60_000);
    const reply = await app.call(path, { method: 'POST', session, json: {} });
    assert.equal(refusal(reply), '403 svc_api_proof_required');
  });

  test('at most ten active ones, also with concurrent requests', async () => {
    const basic = await app.basic('tomas');
    const post = () => app.call(path, { method: 'POST', basic, json: {} });
    const replies = await Promise.all(Array.from({ length: 14 }, post));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(10).fill(201), ...Array(4).fill(409)]);
    const { id } = replies.find(({ status }) => status === 201)!.body;
    await app.call(`${path}/${id}`, { method: 'DELETE', basic });
    assert.equal((await post()).status, 201);
    assert.equal(refusal(await post()), '409 svc_api_too_many_keys');
  });

  test('400 for a past day', async () => {
    const session = await app.signIn('maya');
    const json = { expires: '2020-01-01' };
    assert.equal((await app.call(path, { method: 'POST', session, json })).status, 400);
  });
});
