import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { inEveryLanguage, testMail } from '../../../test/support/in-every-language.ts';
import { MailReceiver, smtpRefusal } from '../../../test/support/mail-receiver.ts';
import { query } from '../../db/statements/query.ts';
import { enqueueMail, holdMails, releaseMails, withdrawMails } from './index.ts';
import { mailModule } from './module.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { LEASE_MS, sendMails } from './send-mails.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const news = testMail(
  'test-news',
  inEveryLanguage({ subject: 'News', text: 'Hello {{name}},\n\nthere are news.' }),
  Type.Object({ name: Type.String() }),
  { notice: { name: 'test-news', description: 'News.', audience: 'everyone' } },
);

const all = query<object, OutboxRow>((db) => db.selectFrom('outbox').selectAll().orderBy('id'));
const outboxOf = (app: TestApp) => app.site.database.read.all(all, {});
const statesOf = async (app: TestApp) => (await outboxOf(app)).map(({ state }) => state);
const work = (app: TestApp) => sendMails.run(app.site);
const receivedBy = (receiver: MailReceiver) =>
  receiver.received.map(({ envelopeTo: [to] }) => to).toSorted();

async function open(receiver: MailReceiver): Promise<TestApp> {
  return openTestApp({ config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' } });
}

async function write(app: TestApp, ids: readonly number[], isToMany = true): Promise<void> {
  await app.site.database.transaction(async (tx) => {
    for (const id of ids) {
      enqueueMail(tx, app.site, news, {
        to: { address: `p${id}@test.example` },
        data: { name: `Person ${id}` },
        key: keyOf(id),
        nowMs: app.site.clock(),
        ...(isToMany && { toMany: { userId: id, source: 'test-1' } }),
      });
    }
  });
}

const keyOf = (id: number) => `test-news:${id}`;
const people = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('a mail to many', () => {
  test('tells mail programs how to unsubscribe with one click, and people in the footer', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    await write(app, [7]);
    await write(app, [8], false);
    await work(app);
    const to = (address: string) =>
      receiver.received.find(({ envelopeTo }) => envelopeTo.includes(address))!.parsed;
    const [single, many] = [to('p8@test.example'), to('p7@test.example')];
    const header = (mail: typeof many, key: string) =>
      mail.headers.find((one) => one.key === key)?.value;
    const url = header(many, 'list-unsubscribe')!.slice(1, -1);
    assert.match(url, /^https?:\/\/[^/]+\/unsubscribe\/7\.test-news\.test-1\.[\w-]+$/);
    assert.equal(header(many, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.ok(many.text!.includes(url) && many.html!.includes(url));
    assert.equal(header(single, 'list-unsubscribe'), undefined);
    assert.doesNotMatch(single.text!, /unsubscribe\//);
  });

  test('is sent after all other mails', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    await app.set({ 'mail.per_minute': 60 });
    await write(app, people(10));
    await write(app, [20, 21], false);
    await work(app);
    app.advance(2 * SECOND);
    await work(app);
    assert.deepEqual(
      receivedBy(receiver),
      [1, 20, 21].map((id) => `p${id}@test.example`),
    );
  });

  test('is unknown, and not sent again, if the service was stopped before it recorded the reply', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    await write(app, people(3));
    await write(app, [4], false);
    const answer = Promise.withResolvers<void>();
    receiver.silence = answer.promise;
    // The process ends after the server has accepted the mails: nothing of that is stored.
    const killed = sendMails.run(endingAfterClaim(app));
    await eventually(() => assert.equal(receiver.received.length, 4));
    answer.resolve();
    await assert.rejects(killed, /killed/);
    receiver.silence = undefined;
    app.advance(LEASE_MS + SECOND);
    for (let round = 0; round < 3; round++) await work(app);
    assert.deepEqual((await statesOf(app)).toSorted(), ['sent', 'unknown', 'unknown', 'unknown']);
    assert.deepEqual(
      receivedBy(receiver),
      [1, 2, 3, 4, 4].map((id) => `p${id}@test.example`),
      'a mail to one person is sent again, mails to many are not',
    );
    const [row] = await outboxOf(app);
    assert.match(row!.last_error, /may have arrived/);
  });

  test('is unknown if the server ends the connection without a reply, and comes later if it refused first', async () => {
    let isGrey = true;
    const receiver = await new MailReceiver({
      onRcptTo({ address }, _session, done) {
        if (address.startsWith('p1@')) return done(smtpRefusal(550, 'No such user'));
        done(address.startsWith('p2@') && isGrey ? smtpRefusal(450, 'Greylisted') : undefined);
      },
    }).listen();
    receiver.dies = true;
    const app = await open(receiver);
    await write(app, people(3));
    await work(app);
    assert.deepEqual(await statesOf(app), ['failed', 'pending', 'unknown']);
    const [refused] = await outboxOf(app);
    assert.match(refused!.last_error, /550 No such user/);
    [isGrey, receiver.dies] = [false, false];
    app.advance(2 * MINUTE);
    await work(app);
    assert.deepEqual(await statesOf(app), ['failed', 'sent', 'unknown']);
    assert.deepEqual(receivedBy(receiver), ['p2@test.example', 'p3@test.example']);
  });

  test('can be held, released and withdrawn until it is being sent', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    const { database, clock } = app.site;
    await write(app, people(3));
    const keys = people(3).map(keyOf);
    await database.transaction((tx) => holdMails(tx, keys));
    await work(app);
    assert.deepEqual(await statesOf(app), ['held', 'held', 'held']);
    await database.transaction((tx) => releaseMails(tx, keys.slice(0, 1), clock()));
    const answer = Promise.withResolvers<void>();
    receiver.silence = answer.promise;
    const working = work(app);
    await eventually(() => assert.equal(receiver.received.length, 1));
    await database.transaction((tx) => holdMails(tx, keys));
    const gone = await database.transaction((tx) => withdrawMails(tx, keys));
    assert.deepEqual(gone.toSorted(), keys.slice(1));
    answer.resolve();
    await working;
    assert.deepEqual(await statesOf(app), ['sent']);
  });
});

describe('the pace', () => {
  test('is the number of mails in a minute that the setting allows', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    await app.set({ 'mail.per_minute': 120 });
    await write(app, people(30));
    await work(app);
    assert.ok(receiver.received.length <= 4, 'what it allows in two seconds at most');
    const before = receiver.received.length;
    for (let second = 0; second < 10; second++) {
      app.advance(SECOND);
      await work(app);
    }
    assert.equal(receiver.received.length - before, 20);
  });

  test('rests while the server defers all mails, with growing pauses, then starts with one', async () => {
    const receiver = await new MailReceiver().listen();
    const app = await open(receiver);
    await write(app, people(40));
    receiver.refuse = smtpRefusal(421, 'Too many mails');
    await work(app);
    assert.equal(receiver.offered.length, 5);
    const offered: number[] = [];
    for (let second = 0; second < 180; second++) {
      app.advance(SECOND);
      await work(app);
      offered.push(receiver.offered.length);
    }
    assert.deepEqual(
      [9, 10, 29, 30, 69, 70, 149, 150].map((second) => offered[second - 1]),
      [5, 6, 6, 7, 7, 8, 8, 9],
      'one attempt after 10, 20, 40 and 80 seconds',
    );
    receiver.refuse = undefined;
    app.advance(2 * MINUTE);
    await work(app);
    app.advance(10 * MINUTE);
    await work(app);
    assert.equal(receiver.received.length, 40);
    assert.ok((await statesOf(app)).every((state) => state === 'sent'));
    assert.equal(new Set(receivedBy(receiver)).size, 40);
  });
});

/** The first transaction claims the mails; all others fail as if the process had ended. */
function endingAfterClaim({ site }: TestApp): TestApp['site'] {
  let hasClaimed = false;
  const { database } = site;
  const transaction: typeof database.transaction = (make) => {
    if (!hasClaimed) {
      hasClaimed = true;
      return database.transaction(make);
    }
    mailModule.close!(killed);
    return Promise.reject(new Error('killed'));
  };
  const killed = { ...site, database: { ...database, transaction } };
  return killed;
}
