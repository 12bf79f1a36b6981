import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { MailReceiver, smtpRefusal } from '../../../test/support/mail-receiver.ts';
import { enqueueMail } from './index.ts';
import { sendMails } from './send-mails.ts';

const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
});
const admin = await app.key('admin', 'manage');
const note = testMail(
  'test-note',
  inEveryLanguage({ subject: 'Note', text: 'Text.' }),
  Type.Object({}),
);
const outbox = async () => (await app.call('/svc/store/v1/outbox', { key: admin })).body;
const retry = (id: number | string, key = admin) =>
  app.call(`/svc/store/v1/outbox/${id}/retry`, { method: 'POST', key });

let number = 0;
async function newMail(state: 'failed' | 'sent') {
  receiver.refuse = state === 'failed' ? smtpRefusal(554) : undefined;
  await app.site.database.transaction(async (tx) =>
    enqueueMail(tx, app.site, note, {
      to: { address: 'a@test.example' },
      data: {},
      key: String(++number),
      nowMs: app.site.clock(),
    }),
  );
  await sendMails.run(app.site);
  const [mail] = await outbox();
  assert.equal(mail.state, state);
  return mail;
}

describe('POST /outbox/{id}/retry', () => {
  test('200: a failed mail is pending again, and is sent', async () => {
    const { id } = await newMail('failed');
    receiver.refuse = undefined;
    const { status, body } = await retry(id);
    assert.equal(status, 200);
    assert.deepEqual([body.id, body.state, body.attempts], [id, 'pending', 0]);
    await sendMails.run(app.site);
    assert.equal((await outbox())[0].state, 'sent');
    assert.equal(receiver.received.length, 1);
  });

  test('403: a key without the scope', async () => {
    const key = await app.key('admin', 'read,write');
    assert.equal(refusal(await retry(1, key)), '403 svc_api_insufficient_scope');
  });

  test('404: an unknown mail', async () => {
    assert.equal(refusal(await retry(999_999)), '404 svc_api_not_found');
  });

  test('409: a mail that has not failed', async () => {
    const { id } = await newMail('sent');
    assert.equal(refusal(await retry(id)), '409 svc_api_mail_not_failed');
    assert.equal((await outbox())[0].state, 'sent');
  });
});
