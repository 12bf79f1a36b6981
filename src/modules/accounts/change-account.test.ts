import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, PASSWORD, refusal, type TestSession } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp();
const MINUTE = 60_000;
const NEW = 'four yellow boats 1987';
const isOpen = async (session: TestSession) => (await app.call('/me', { session })).status === 200;

const change = (session: TestSession, json: unknown) =>
  app.call('/svc/store/v1/account/password', { method: 'POST', session, json });
const move = (session: TestSession, email: string) =>
  app.call('/svc/store/v1/account/email', { method: 'POST', session, json: { email } });
const mailsTo = async (address: string) =>
  (await outbox(app.site)).filter((mail) => mail.to_address === address).map((m) => m.template);

describe('POST /account/password', () => {
  test('needs the current one; other sessions end, and the user gets a mail', async () => {
    const [mine, other] = [await app.signIn('tomas'), await app.signIn('tomas')];
    assert.equal(
      refusal(await change(mine, { current_password: 'wrong', new_password: NEW })),
      '401 svc_api_wrong_password',
    );
    const missing = await change(mine, { new_password: NEW });
    assert.deepEqual(Object.keys(missing.body.data.params), ['current_password']);
    assert.ok(await isOpen(other), 'a refusal ends nothing');

    const reply = await change(mine, { current_password: PASSWORD, new_password: NEW });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([await isOpen(mine), await isOpen(other)], [true, false]);
    assert.deepEqual(await mailsTo('tomas@test.example'), ['password-changed']);
    const sent = JSON.stringify(await outbox(app.site));
    assert.ok(!sent.includes(NEW));
    const key = await app.key('admin', 'read');
    const { body } = await app.call('/events?event=account.password_changed', { key });
    assert.equal(body[0].data.by, 'password');
  });

  test('of two changes at the same time, the one that comes second is refused', async () => {
    const sessions = [await app.signIn('manager'), await app.signIn('manager')];
    const replies = await Promise.all(
      sessions.map((session, i) =>
        change(session, { current_password: PASSWORD, new_password: `${NEW} ${i}` }),
      ),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401]);
    const wins = replies.findIndex(({ status }) => status === 200);
    assert.ok(await isOpen(sessions[wins]!));
    assert.ok(!(await isOpen(sessions[1 - wins]!)));
    const json = { current_password: `${NEW} ${wins}`, new_password: PASSWORD };
    assert.equal((await change(sessions[wins]!, json)).status, 200);
  });

  test('400 with the reason for a bad one', async () => {
    const session = await app.signIn('maya');
    const json = { current_password: PASSWORD, new_password: 'Password123456' };
    const reply = await change(session, json);
    assert.equal(refusal(reply), '400 rest_invalid_param');
    assert.equal(reply.body.data.reason, 'common');
    assert.deepEqual(Object.keys(reply.body.data.params), ['new_password']);
  });
});

describe('POST /account/email', () => {
  test('mails a link to the new address and a notice to the old one; nothing changes yet', async () => {
    const session = await app.signIn('maya');
    const reply = await move(session, 'maya@new.example');
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual(await mailsTo('maya@new.example'), ['address-confirmation']);
    assert.deepEqual(await mailsTo('maya@test.example'), ['address-change-requested']);
    const { body } = await app.call('/svc/store/v1/account', { session });
    assert.deepEqual(
      [body.user.email, body.pending_email],
      ['maya@test.example', 'maya@new.example'],
    );
    assert.equal(refusal(await move(session, 'x@new.example')), '429 svc_api_rate_limited');
  });

  test('the answer does not tell that an address is in use', async () => {
    const session = await app.signIn('carla');
    const reply = await move(session, 'admin@test.example');
    assert.deepEqual([reply.status, reply.body], [202, { pending_email: 'admin@test.example' }]);
    assert.deepEqual(await mailsTo('admin@test.example'), ['address-in-use']);
    assert.deepEqual(await mailsTo('carla@test.example'), ['address-change-requested']);
  });

  test('403 without a recent proof', async () => {
    const session = await app.signIn('manager');
    app.advance(10 * MINUTE);
    assert.equal(refusal(await move(session, 'm@new.example')), '403 svc_api_proof_required');
  });
});
