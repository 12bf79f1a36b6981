import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { enqueueMail } from '../src/modules/mail/index.ts';
import { sendMails } from '../src/modules/mail/send-mails.ts';
import { freePort } from './support/free-port.ts';
import { openTestApp, type TestApp } from './support/harness.ts';
import { inEveryLanguage, testMail } from './support/in-every-language.ts';
import { MailReceiver, smtpRefusal } from './support/mail-receiver.ts';

const linesWith = (app: TestApp, words: string) =>
  app.logs.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

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
