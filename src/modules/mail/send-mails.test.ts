import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { eventually } from '../../../test/support/eventually.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { openTestApp, type TestApp, type TestOptions } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { mailBody } from '../../../test/support/mail-body.ts';
import { MailReceiver, smtpRefusal } from '../../../test/support/mail-receiver.ts';
import { query } from '../../db/statements/query.ts';
import { enqueueMail } from './index.ts';
import { mailsTotal } from './mail-metrics.ts';
import { SEND_MS_MAX } from './mail-server.ts';
import { mailModule } from './module.ts';
import { type OutboxRow, pruneOutbox } from './outbox-rows.ts';
import { sendMails } from './send-mails.ts';

const MINUTE = 60_000;
const greeting = testMail(
  'test-greeting',
  inEveryLanguage({
    subject: 'Hello {{who}}',
    text: 'Dear {{who}},\n\nwelcome to {{site.name}}.\n{{note}}',
  }),
  Type.Object({ who: Type.String(), note: Type.String() }),
);
const linked = testMail(
  'test-linked',
  inEveryLanguage({
    subject: 'A link',
    text: '{{url}}',
    html: '<p><a href="{{url}}">{{url}}</a></p>',
  }),
  Type.Object({ url: Type.String() }),
);

const all = query<object, OutboxRow>((db) => db.selectFrom('outbox').selectAll().orderBy('id'));
const outboxOf = (app: TestApp) => app.site.database.read.all(all, {});
const work = (app: TestApp) => sendMails.run(app.site);

/** Values that a mail program may read as several recipients, or as another one. */
const lists = [
  'a@test.example,victim@test.example',
  'a@test.example;victim@test.example',
  'a:b@test.example;',
  'victim@test.example(a@test.example)',
  'a\\@test.example',
  '@relay.example:a@test.example',
  'a@[127.0.0.1]',
];
const readdress = query<{ address: string }>((db, p) =>
  db
    .updateTable('outbox')
    .set({ to_address: p.address })
    .where('id', '=', (eb) => eb.selectFrom('outbox').select((max) => max.fn.max('id').as('id'))),
);

let number = 0;
async function write(app: TestApp, who = 'Maya', name?: string, key = `key ${++number}`) {
  await app.site.database.transaction(async (tx) =>
    enqueueMail(tx, app.site, greeting, {
      to: { address: 'maya@test.example', ...(name !== undefined && { name }) },
      data: { who, note: 'Bye.' },
      key,
      nowMs: app.site.clock(),
    }),
  );
}

/** The tests run the job that sends mails themselves. */
async function openWith(
  receiver: MailReceiver,
  config = {},
  jobs: TestOptions['jobs'] = 'at-stop',
): Promise<TestApp> {
  const app = await openTestApp({
    jobs,
    config: {
      smtpUrl: receiver.url(),
      mailFrom: 'program@store.example',
      ...config,
    },
  });
  return app;
}

describe('a mail', () => {
  test('arrives with its text, its HTML and its headers', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    await app.set({ 'site.name': 'Käse & Brot' });
    await write(app, 'Zoë', 'Zoë Übel 🧀');
    await work(app);
    const [{ parsed, envelopeTo }] = receiver.received as [(typeof receiver.received)[0]];
    assert.deepEqual(envelopeTo, ['maya@test.example']);
    assert.equal(parsed.subject, 'Hello Zoë');
    assert.deepEqual(parsed.to, [{ address: 'maya@test.example', name: 'Zoë Übel 🧀' }]);
    assert.deepEqual(parsed.from, { address: 'program@store.example', name: 'Käse & Brot' });
    assert.equal(mailBody(parsed.text), 'Dear Zoë,\n\nwelcome to Käse & Brot.\nBye.');
    assert.match(
      parsed.html!,
      /<p [^>]*>Dear Zoë,<\/p><p [^>]*>welcome to Käse &amp; Brot\.<br \/>Bye\.<\/p>/,
    );
    assert.match(parsed.html!, /<html lang="en">/);
    assert.doesNotMatch(parsed.html!, /src=|url\(|<script|<link/, 'nothing from outside');
    assert.match(parsed.messageId!, /^<outbox\.\d+\.[\w-]{16}@store\.example>$/);
    const header = (key: string) => parsed.headers.find((h) => h.key === key)?.value;
    assert.equal(header('auto-submitted'), 'auto-generated');
  });

  test('comes from the name of the configuration, if there is one', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver, { mailFrom: '"Käse, Brot" <program@store.example>' });
    await write(app, 'Zoë');
    await work(app);
    const [{ parsed }] = receiver.received as [(typeof receiver.received)[0]];
    assert.deepEqual(parsed.from, { address: 'program@store.example', name: 'Käse, Brot' });
    assert.match(parsed.messageId!, /@store\.example>$/);
  });

  test('has markup escaped in HTML and not in text', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    await write(app, '<script>alert(1)</script>&');
    await app.site.database.transaction(async (tx) =>
      enqueueMail(tx, app.site, linked, {
        to: { address: 'a@test.example' },
        data: { url: 'https://x.example/"><script>' },
        key: 'linked',
        nowMs: app.site.clock(),
      }),
    );
    await work(app);
    const [first, second] = receiver.received.map(({ parsed }) => parsed);
    assert.equal(first!.subject, 'Hello <script>alert(1)</script>&');
    assert.match(first!.text!, /Dear <script>alert\(1\)<\/script>&,/);
    for (const { html } of [first!, second!]) assert.doesNotMatch(html!, /<script/);
    assert.match(first!.html!, /&lt;script&gt;/);
  });

  test('allows no header injection through names and subjects', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    const trick = 'Maya\r\nBcc: victim@test.example\r\n\r\nBody';
    await write(app, trick, trick);
    await app.set({ 'site.name': trick });
    await work(app);
    const [{ parsed, envelopeTo, raw }] = receiver.received as [(typeof receiver.received)[0]];
    assert.deepEqual(envelopeTo, ['maya@test.example']);
    assert.equal(parsed.bcc, undefined);
    assert.doesNotMatch(raw.split('\r\n\r\n')[0]!, /^bcc:/im);
    assert.equal(parsed.subject, 'Hello Maya Bcc: victim@test.example Body');
    assert.deepEqual(parsed.to, [
      { address: 'maya@test.example', name: 'Maya Bcc: victim@test.example Body' },
    ]);
    assert.equal(parsed.from?.name, 'Maya Bcc: victim@test.example Body');
  });

  test('is sent once per key', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    for (let i = 0; i < 3; i++) await write(app, 'Maya', undefined, 'the same');
    await work(app);
    assert.equal(receiver.received.length, 1);
    assert.equal((await outboxOf(app)).length, 1);
  });

  test('is rolled back with its change', async () => {
    const app = await openWith(await new MailReceiver().listen());
    const undone = app.site.database.transaction(async (tx) => {
      enqueueMail(tx, app.site, greeting, {
        to: { address: 'maya@test.example' },
        data: { who: 'Maya', note: '' },
        key: 'undone',
        nowMs: app.site.clock(),
      });
      throw new Error('undo');
    });
    await assert.rejects(undone, /undo/);
    assert.deepEqual(await outboxOf(app), []);
  });

  test('with an invalid address fails, and the change stays', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    for (const address of [
      'nobody',
      'a@b>\r\nRCPT TO:<victim@test.example',
      'a b@c',
      '',
      ...lists,
    ]) {
      await app.site.database.transaction(async (tx) =>
        enqueueMail(tx, app.site, linked, {
          to: { address },
          data: { url: '' },
          key: address,
          nowMs: app.site.clock(),
        }),
      );
    }
    await work(app);
    assert.equal(receiver.received.length, 0);
    for (const { state } of await outboxOf(app)) assert.equal(state, 'failed');
  });

  test('that was stored with several addresses goes to none of them', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    for (const address of lists) {
      await write(app);
      await app.site.database.transaction((tx) => tx.run(readdress, { address }));
    }
    await work(app);
    assert.deepEqual(receiver.offered, []);
    for (const { state, last_error } of await outboxOf(app)) {
      assert.deepEqual([state, last_error], ['failed', 'This is not a valid email address.']);
    }
  });
});

describe('sending', () => {
  test('marks sent mails, and counts them', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    for (let i = 0; i < 12; i++) await write(app);
    await work(app);
    assert.equal(receiver.received.length, 12);
    const ids = receiver.received.map(({ parsed }) => parsed.messageId);
    assert.equal(new Set(ids).size, 12);
    for (const row of await outboxOf(app)) {
      assert.deepEqual([row.state, row.attempts, row.last_error], ['sent', 1, '']);
      assert.ok(row.sent_at! > 0);
    }
    const [samples] = (await mailsTotal.read(app.site)).values();
    assert.deepEqual(samples![0], { labels: { outcome: 'sent' }, value: 12 });
  });

  test('by two concurrent workers sends each mail once', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    for (let i = 0; i < 20; i++) await write(app);
    await Promise.all([work(app), work(app), work(app), work(app)]);
    assert.equal(receiver.received.length, 20);
    assert.equal(new Set(receiver.received.map(({ parsed }) => parsed.messageId)).size, 20);
  });

  test('is done by the background job', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver, {}, 'all');
    await write(app);
    await eventually(() => assert.equal(receiver.received.length, 1));
  });

  test('is retried after a temporary error, with growing delays and the same Message-ID', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    receiver.refuse = smtpRefusal(451, 'Busy with <maya@test.example>');
    await write(app);
    for (const [attempt, minutes] of [1, 5, 30, 120, 360, 720, 720].entries()) {
      await work(app);
      const [row] = await outboxOf(app);
      assert.deepEqual([row!.state, row!.attempts], ['pending', attempt + 1]);
      assert.match(row!.last_error, /451 Busy/);
      app.advance((minutes - 1) * MINUTE);
      await work(app);
      assert.equal((await outboxOf(app))[0]!.attempts, attempt + 1, 'not before its time');
      app.advance(2 * MINUTE);
    }
    receiver.refuse = undefined;
    await work(app);
    assert.equal(receiver.received.length, 1);
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts, row!.last_error], ['sent', 8, '']);
    const ids = receiver.offered.map((raw) => /^Message-ID: (.+)$/im.exec(raw)?.[1]);
    assert.equal(ids.length, 8);
    assert.equal(new Set(ids).size, 1);
    assert.ok(!app.logs.join('').includes('maya@test.example'), 'no address in the log');
  });

  test('is given up after ten attempts', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    receiver.refuse = smtpRefusal(451);
    await write(app);
    for (let i = 0; i < 12; i++) {
      await work(app);
      app.advance(13 * 60 * MINUTE);
    }
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts], ['failed', 10]);
  });

  test('is given up immediately after a permanent error', async () => {
    const receiver = await new MailReceiver({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('maya') ? smtpRefusal(550, 'No such user') : undefined),
    }).listen();
    const app = await openWith(receiver);
    await write(app);
    await work(app);
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts], ['failed', 1]);
    assert.match(row!.last_error, /550 No such user/);
  });

  test('waits for a server that is down', async () => {
    const port = await freePort();
    const gone = await new MailReceiver().listen(port);
    const app = await openWith(gone);
    await gone.close();
    await write(app);
    await work(app);
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts], ['pending', 1]);
    assert.match(row!.last_error, /ECONNREFUSED/);
    const back = await new MailReceiver().listen(port);
    app.advance(2 * MINUTE);
    await work(app);
    assert.equal(back.received.length, 1);
  });

  test('sends a mail once, even if the database is down when the server accepts it', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    await write(app);
    const answer = Promise.withResolvers<void>();
    receiver.silence = answer.promise;
    let [isAway, refused] = [false, 0];
    const { database } = app.site;
    const transaction: typeof database.transaction = (make) => {
      if (!isAway) return database.transaction(make);
      refused += 1;
      return Promise.reject(new Error('away'));
    };
    const site = { ...app.site, database: { ...database, transaction } };
    const working = sendMails.run(site);
    await eventually(() => assert.equal(receiver.received.length, 1));
    isAway = true;
    answer.resolve();
    await eventually(() => assert.ok(refused >= 2));
    isAway = false;
    await working;
    mailModule.close!(site);
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts, receiver.received.length], ['sent', 1, 1]);
  });

  test('authenticates, and a wrong password loses no mail', async () => {
    const onAuth: NonNullable<ConstructorParameters<typeof MailReceiver>[0]>['onAuth'] = (
      { username, password },
      _session,
      done,
    ) =>
      username === 'us er' && password === 'p@ss/word'
        ? done(null, { user: username })
        : done(smtpRefusal(535, 'Wrong'));
    const receiver = await new MailReceiver({ onAuth, allowInsecureAuth: true }).listen();
    const right = await openWith(receiver, { smtpUrl: receiver.url('us%20er:p%40ss%2Fword') });
    await write(right);
    await work(right);
    assert.equal(receiver.received.length, 1);

    const wrong = await openWith(receiver, { smtpUrl: receiver.url('us%20er:secret-canary') });
    await write(wrong);
    await work(wrong);
    const [row] = await outboxOf(wrong);
    assert.deepEqual([row!.state, receiver.received.length], ['pending', 1]);
    const output = wrong.logs.join('') + JSON.stringify(row);
    assert.ok(!output.includes('secret-canary'), 'the password appears nowhere');
  });

  test('keeps mails waiting without a mail server, which is logged once', async () => {
    const app = await openTestApp();
    await write(app);
    await work(app);
    await work(app);
    const [row] = await outboxOf(app);
    assert.deepEqual([row!.state, row!.attempts], ['pending', 0]);
    const lines = app.logs.filter((line) => line.includes('TRIBUTARY_SMTP_URL'));
    assert.equal(lines.length, 1);
  });

  test('does not delay a shutdown when the server never replies', async () => {
    const receiver = await new MailReceiver({ onData: () => {} }).listen();
    const app = await openWith(receiver);
    await write(app);
    const working = work(app);
    await eventually(async () => assert.equal((await outboxOf(app))[0]!.attempts, 1));
    const begun = performance.now();
    mailModule.close!(app.site);
    await working;
    assert.ok(performance.now() - begun < SEND_MS_MAX, 'shutdown did not wait for the server');
    assert.equal((await outboxOf(app))[0]!.state, 'pending');
  });
});

describe('the outbox', () => {
  test('stores sent mails for 30 days', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await openWith(receiver);
    await write(app);
    await work(app);
    app.advance(29 * 24 * 60 * MINUTE);
    await pruneOutbox.run(app.site);
    await write(app);
    assert.equal((await outboxOf(app)).length, 2);
    app.advance(2 * 24 * 60 * MINUTE);
    await pruneOutbox.run(app.site);
    const left = await outboxOf(app);
    assert.deepEqual(
      left.map((row) => row.state),
      ['pending'],
    );
  });
});
