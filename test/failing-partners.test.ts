import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { enqueueMail } from '../src/modules/mail/index.ts';
import { sendMails } from '../src/modules/mail/send-mails.ts';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { openTestApp, type TestApp } from './support/harness.ts';
import { inEveryLanguage, testMail } from './support/in-every-language.ts';
import { MailReceiver, smtpRefusal } from './support/mail-receiver.ts';
import { Receiver } from './webhooks/receiver.ts';
import { openWebhookApp } from './webhooks/webhook-app.ts';

const linesWith = (app: TestApp, words: string) =>
  app.logs.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

describe('a webhook that fails', () => {
  const FAIL = 'webhook deliveries fail';
  const AGAIN = 'webhook deliveries succeed again';

  test('is logged once a minute with name, host and reason, and once when it works again', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    receiver.answer = 503;
    const host = `127.0.0.1:${receiver.port}`;
    const created = await app.create({
      url: `http://${host}/hook/token-canary`,
      events: ['referral.created'],
      name: 'Warehouse',
    });
    const { id } = created.body;
    await app.emit(20);
    await app.sendDue();
    app.app.advance(10_000);
    await app.sendDue();
    assert.partialDeepStrictEqual(linesWith(app.app, FAIL), [
      { level: 40, webhook: id, name: 'Warehouse', host, reason: 'The receiver answered 503.' },
    ]);
    assert.equal(linesWith(app.app, FAIL).length, 1);
    app.app.advance(60_000);
    await app.sendDue();
    assert.ok(linesWith(app.app, FAIL)[1].suppressed >= 1, 'with the number of failures since');

    receiver.answer = 200;
    app.app.advance(60_000);
    await eventually(async () => {
      await app.sendDue();
      assert.partialDeepStrictEqual(linesWith(app.app, AGAIN), [{ level: 30, webhook: id, host }]);
    });
    app.app.advance(24 * 60 * 60_000);
    await app.sendDue();
    assert.equal(linesWith(app.app, AGAIN).length, 1);
    assert.ok(!app.app.logs.join('').includes('token-canary'), 'the path is not logged');
  });

  test('is logged with the reason: connection refused, or no TLS', async () => {
    const app = await openWebhookApp();
    const plain = await new Receiver().listen();
    const refusing = `http://127.0.0.1:${await freePort()}`;
    await app.webhook(refusing, ['referral.created']);
    await app.webhook(`https://127.0.0.1:${plain.port}`, ['referral.created']);
    await app.emit();
    await app.sendDue();
    const reasons = linesWith(app.app, FAIL).map(({ reason }) => reason);
    assert.deepEqual(reasons.toSorted(), [
      'No trusted TLS connection could be made.',
      'The receiver refused the connection.',
    ]);
  });
});

describe('a mail server that fails', () => {
  const FAIL = 'mail could not be sent';
  const AGAIN = 'mails are being sent again';
  const mail = testMail(
    'test',
    inEveryLanguage({ subject: 'Test', text: 'Test' }),
    Type.Object({}),
  );

  async function openWith(smtpUrl: string): Promise<TestApp> {
    const app = await openTestApp({
      config: { smtpUrl, mailFrom: 'program@store.example' },
    });
    await app.site.database.transaction(async (tx) => {
      for (let i = 0; i < 3; i++) {
        const to = { address: `maya${i}@test.example` };
        enqueueMail(tx, app.site, mail, {
          to,
          data: {},
          key: `test ${i}`,
          nowMs: app.site.clock(),
        });
      }
    });
    return app;
  }

  test('is logged once a minute with host, port and reason, and once when it works again', async () => {
    const receiver = await new MailReceiver().listen();
    receiver.refuse = smtpRefusal(451, 'Busy with <maya1@test.example>');
    const app = await openWith(receiver.url());
    const server = new URL(receiver.url()).host;
    await sendMails.run(app.site);
    const lines = linesWith(app, FAIL);
    assert.equal(lines.length, 1, 'three mails, one line');
    assert.partialDeepStrictEqual(lines, [
      { level: 40, server, reason: 'the mail server answered 451', code: 451 },
    ]);
    app.advance(60_000);
    await sendMails.run(app.site);
    assert.equal(linesWith(app, FAIL)[1].suppressed, 2);

    receiver.refuse = undefined;
    app.advance(60 * 60_000);
    await sendMails.run(app.site);
    assert.equal(receiver.received.length, 3);
    assert.partialDeepStrictEqual(linesWith(app, AGAIN), [{ level: 30, server }]);
    assert.equal(linesWith(app, AGAIN).length, 1);
    assert.ok(!app.logs.join('').includes('@test.example'), 'no address in the log');
  });

  test('that is unreachable is logged with the reason', async () => {
    const port = await freePort();
    const app = await openWith(`smtp://user:canary@127.0.0.1:${port}`);
    await sendMails.run(app.site);
    const [line] = linesWith(app, FAIL);
    assert.equal(line.server, `127.0.0.1:${port}`);
    assert.equal(line.reason, 'the mail server refused the connection');
    assert.ok(!app.logs.join('').includes('canary'));
  });
});
