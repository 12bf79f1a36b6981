import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import Type from 'typebox';
import { openTestApp, refusal, type TestApp } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { keysOfTables } from '../../../test/support/key-columns.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { MailReceiver, smtpRefusal } from '../../../test/support/mail-receiver.ts';
import { query } from '../../db/statements/query.ts';
import { enqueueMail } from './index.ts';
import { LINK_PLACEHOLDER } from './one-time-link.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { sendMails } from './send-mails.ts';

const LINK = 'https://program.test.example/app/reset?token=Zx81Qq&for=maya';
const inHtml = LINK.replace('&', '&amp;');
const invitation = testMail(
  'test-invitation',
  inEveryLanguage({
    subject: 'Choose your password',
    text: 'Open {{link}}\n\n{{note}}',
    html: '<p><a href="{{link}}">{{link}}</a></p><p>{{note}}</p>',
  }),
  Type.Object({ note: Type.String() }),
);

const newest = query<object, OutboxRow>((db) =>
  db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(1),
);
const newestOf = async (app: TestApp) => (await app.site.database.read.first(newest, {}))!;
const dueNow = query<object>((db) => db.updateTable('outbox').set({ next_attempt_at: 0 }));
const move = query<object>((db) =>
  db.updateTable('outbox').set({ key: sql<string>`'moved to ' || id` }),
);

async function openWith(receiver: MailReceiver): Promise<TestApp> {
  const app = await openTestApp({
    config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  });
  return app;
}

let number = 0;
async function write(app: TestApp, { note = '', address = 'maya@test.example' } = {}) {
  await app.site.database.transaction(async (tx) =>
    enqueueMail(tx, app.site, invitation, {
      to: { address },
      data: { note },
      link: LINK,
      key: `invitation ${++number}`,
      nowMs: app.site.clock(),
    }),
  );
  return newestOf(app);
}

/** Everything that the database and the log contain. */
async function everythingOf(app: TestApp): Promise<string> {
  const names = [...(await keysOfTables(app.site.database)).keys()];
  const rows = names.map((name) =>
    app.site.database.read.all(
      query<object, object>((db) => ({
        compile: () => sql`select * from ${sql.table(name)}`.compile(db),
      })),
      {},
    ),
  );
  return JSON.stringify(await Promise.all(rows)) + app.logs.join('\n');
}

const receiver = await new MailReceiver().listen();
const app = await openWith(receiver);

describe('the one-time link of a mail', () => {
  test('is in the sent mail, and in the database neither before nor after', async () => {
    const before = await write(app);
    assert.ok(before.text.includes(LINK_PLACEHOLDER));
    assert.ok(before.link!.length > 40);
    assert.ok(!(await everythingOf(app)).includes('Zx81Qq'));

    await sendMails.run(app.site);
    const { parsed } = receiver.received.at(-1)!;
    assert.equal(mailBody(parsed.text), `Open ${LINK}`);
    assert.ok(parsed.html!.includes(`<a href="${inHtml}">${inHtml}</a>`));
    const after = await newestOf(app);
    assert.equal(after.state, 'sent');
    assert.equal(after.link, '');
    assert.ok(!(await everythingOf(app)).includes('Zx81Qq'));
  });

  test('stays sealed while the mail is retried and is erased when it fails for good', async () => {
    receiver.refuse = smtpRefusal(451, `Later: ${LINK}`);
    const { link } = await write(app);
    await sendMails.run(app.site);
    const waiting = await newestOf(app);
    assert.equal(waiting.state, 'pending');
    assert.equal(waiting.link, link);
    assert.ok(waiting.last_error.includes(`Later: ${LINK_PLACEHOLDER}`), waiting.last_error);
    assert.ok(!(await everythingOf(app)).includes('Zx81Qq'));

    // All mails rest while the server defers one.
    app.advance(10_000);
    await app.site.database.transaction((tx) => tx.run(dueNow, {}));
    receiver.refuse = smtpRefusal(550, `Never: ${LINK}`);
    await sendMails.run(app.site);
    receiver.refuse = undefined;
    const failed = await newestOf(app);
    assert.equal(failed.state, 'failed');
    assert.equal(failed.link, '');
    assert.ok(!(await everythingOf(app)).includes('Zx81Qq'));
    const key = await app.key('admin', 'manage');
    const again = await app.call(`/svc/store/v1/outbox/${failed.id}/retry`, {
      method: 'POST',
      key,
    });
    assert.equal(refusal(again), '409 svc_api_mail_link_erased');
  });

  test('is not stored for an address that cannot get mails', async () => {
    const mail = await write(app, { address: 'nobody' });
    assert.equal(mail.state, 'failed');
    assert.equal(mail.link, '');
  });

  test('is not put into data that quote the placeholder', async () => {
    await write(app, { note: `https://other.example/?${LINK_PLACEHOLDER}` });
    await sendMails.run(app.site);
    const { parsed } = receiver.received.at(-1)!;
    assert.ok(parsed.text!.includes('other.example/?'));
    assert.equal(parsed.text!.split('Zx81Qq').length, 2);
    assert.equal(parsed.html!.split('Zx81Qq').length, 3);
  });

  test('cannot be moved to another mail', async () => {
    await write(app);
    await app.site.database.transaction((tx) => tx.run(move, {}));
    const count = receiver.received.length;
    await sendMails.run(app.site);
    const mail = await newestOf(app);
    assert.equal(mail.state, 'failed');
    assert.match(mail.last_error, /link of this email cannot be read/);
    assert.equal(receiver.received.length, count);
  });
});
