import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { cleanUpFiles } from '../../../src/modules/files/clean-up.ts';
import { idOf, openTestApp, type TestApp } from '../../../test/support/harness.ts';
import { sendMessageMails } from '../send-message-mails.ts';

const MAIL_AFTER_MS = 2 * 60_000;
const MAIL_PAUSE_MS = 30 * 60_000;

const STORE = '/svc/store/v1';
const maya = idOf('maya');
const thread = `/affiliates/${maya}/messages`;
const pdf = { name: 'poster.pdf', content: 'JVBERi0xLjcKJSVFT0YK' };
const pixel = {
  name: 'me.png',
  content:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
};

interface Reply {
  status: number;
  body: any;
  total: number;
}

/** A store, and calls by the team, by Maya and by another affiliate. */
async function open() {
  const app = await openTestApp();
  const by = async (login: string) => {
    const key = await app.key(login, 'read,write,manage');
    return async (path: string, json?: unknown): Promise<Reply> => {
      const options = json === undefined ? { key } : { key, method: 'POST', json };
      const { status, body, headers } = await app.call(STORE + path, options);
      return { status, body, total: Number(headers.get('x-svc-total')) };
    };
  };
  return { app, team: await by('manager'), own: await by('maya'), other: await by('tomas') };
}

const outbox = query<object, { to_address: string; subject: string; text: string }>((db) =>
  db.selectFrom('outbox').select(['to_address', 'subject', 'text']).orderBy('id'),
);

/** Runs the job, and returns whom all mails so far went to. */
async function mailed(app: TestApp): Promise<string[]> {
  await sendMessageMails.run(app.site);
  return (await app.site.database.read.all(outbox, {})).map(({ to_address }) => to_address);
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];

describe('a thread', () => {
  test('has the messages of both sides, unread until the other side has read them', async () => {
    const { team, own, other } = await open();
    const first = await own(thread, { text: 'Hello,\n\nmay I?', files: [pdf] });
    assert.equal(first.status, 201);
    assert.deepEqual(
      [first.body.from, first.body.author.name, first.body.read, first.body.files[0].name],
      ['affiliate', 'maya', false, 'poster.pdf'],
    );
    await own(thread, { text: 'Or not?' });

    const threads = await team('/messages?unread=true');
    assert.equal(threads.total, 1);
    const [listed] = threads.body;
    assert.deepEqual(
      [listed.affiliate_id, listed.messages, listed.unread, listed.last.text, listed.last.from],
      [maya, 2, 2, 'Or not?', 'affiliate'],
    );
    const unread = await team(`${thread}?unread=true`);
    assert.equal(unread.total, 2);
    assert.equal((await own(`${thread}?unread=true`)).total, 0);

    const read = await team(`${thread}/read`, { message_id: first.body.id });
    assert.deepEqual(read.body, { unread: 1 });
    const [newest, oldest] = (await own(thread)).body;
    assert.deepEqual([newest.read, oldest.read], [false, true]);
    // A later page of an older reader takes nothing back, and an id of the future reads what there is.
    assert.deepEqual((await team(`${thread}/read`, { message_id: 1 })).body, { unread: 1 });
    assert.deepEqual((await team(`${thread}/read`, { message_id: 999 })).body, { unread: 0 });
    assert.equal((await team('/messages?unread=true')).total, 0);
    assert.equal((await team('/messages')).total, 1);

    const answer = await team(thread, { text: 'Gladly.' });
    assert.equal(answer.body.author.name, 'manager');
    const [seen] = (await own(`${thread}?unread=true`)).body;
    assert.deepEqual([seen.text, seen.from, seen.author], ['Gladly.', 'team', null]);
    assert.equal((await other(thread)).status, 404);
    assert.equal((await other('/messages')).status, 403);
    const events = await team('/events?event=message.received,message.sent');
    assert.ok(events.status === 200 && !JSON.stringify(events.body).includes('Gladly'));
  });

  test('an answer means that its writer has read what came before', async () => {
    const { team, own } = await open();
    await own(thread, { text: 'One' });
    await own(thread, { text: 'Two' });
    await team(thread, { text: 'Three' });
    const { body } = await team('/messages');
    assert.equal(body[0].unread, 0);
    assert.equal((await own(`${thread}?unread=true`)).total, 1);
  });

  test('many at the same time lose none', async () => {
    const { team, own } = await open();
    const texts = Array.from({ length: 6 }, (_, i) => `Message ${i}`);
    await Promise.all(texts.map((text, i) => (i % 2 === 0 ? own : team)(thread, { text })));
    const { body, total } = await team(thread);
    assert.equal(total, 6);
    assert.deepEqual(body.map(({ text }: { text: string }) => text).toSorted(), texts);
    const last = body[0].id;
    await own(`${thread}/read`, { message_id: last });
    await team(`${thread}/read`, { message_id: last });
    assert.equal((await own(`${thread}?unread=true`)).total, 0);
  });

  test('an empty text, a file that is none and too many files are refused, and change nothing', async () => {
    const { own, team, other } = await open();
    const refused = [
      { text: ' \n' },
      { text: 'x'.repeat(10_001) },
      { text: 'Hello', files: [{ name: 'page.html', content: btoa('<script>1</script>') }] },
      { text: 'Hello', files: Array.from({ length: 6 }, () => pdf) },
    ];
    for (const json of refused) assert.equal((await own(thread, json)).status, 400);
    assert.equal((await other(thread, { text: 'Hello', files: [pdf] })).status, 404);
    assert.equal((await team('/affiliates/999/messages', { text: 'Hello' })).status, 404);
    assert.equal((await team(thread)).total, 0);
    assert.equal((await team('/messages')).total, 0);
  });

  test('an affiliate sends a bounded number of messages a day, and the team answers all the same', async () => {
    const { app, own, team } = await open();
    const full = query<{ day: string }>((db, p) =>
      db.updateTable('message_threads').set({ sent_day: p.day, sent_messages: 100 }),
    );
    await own(thread, { text: 'The first' });
    const day = app.site.calendar.dayOf(app.site.clock());
    await app.site.database.transaction((tx) => tx.run(full, { day }));
    const refused = await own(thread, { text: 'One too many', files: [pdf] });
    assert.deepEqual([refused.status, refused.body.code], [409, 'svc_api_too_many_messages']);
    assert.equal((await team(thread, { text: 'Please write less.' })).status, 201);
    await app.site.database.transaction((tx) => tx.run(full, { day: '2020-01-01' }));
    assert.equal((await own(thread, { text: 'Another day' })).status, 201);
  });

  test('a suspended affiliate can ask why', async () => {
    const { app, own } = await open();
    const key = await app.key('admin', 'manage,write');
    const json = { status: 'suspended' };
    const path = `${STORE}/affiliates/${maya}`;
    assert.equal((await app.call(path, { key, method: 'PATCH', json })).status, 200);
    assert.equal((await own(thread, { text: 'Why?' })).status, 201);
  });
});

test('a file is read by the team and by its affiliate, in its own thread only', async () => {
  const { app, own, team, other } = await open();
  const { body } = await own(thread, { text: 'See', files: [pixel, pdf] });
  const [image, document] = body.files;
  assert.equal(document.thumbnail, null);
  assert.match(image.thumbnail, /\?small=true$/);
  const path = (url: string) => url.slice(url.indexOf('/affiliates'));
  const key = await app.key('manager', 'read');
  const file = await app.call(STORE + path(document.url), { key });
  assert.equal(file.text, '%PDF-1.7\n%%EOF\n');
  assert.match(file.headers.get('content-disposition')!, /^attachment; filename="poster.pdf"/);
  assert.equal(file.headers.get('cache-control'), 'private, no-store');
  assert.equal((await own(path(image.thumbnail))).status, 200);
  assert.equal((await own(`${path(document.url)}?small=true`)).status, 404);
  assert.equal((await other(path(document.url))).status, 404);
  const elsewhere = `/affiliates/${idOf('tomas')}/messages/files/${document.id}`;
  assert.equal((await team(elsewhere)).status, 404);
  assert.equal((await other(elsewhere)).status, 404);
});

describe('mails', () => {
  test('there is one about several messages, and none about what was read', async () => {
    const { app, own, team } = await open();
    await team(thread, { text: 'One' });
    assert.deepEqual(await mailed(app), []);
    app.advance(MAIL_AFTER_MS / 2);
    await team(thread, { text: 'Two' });
    app.advance(MAIL_AFTER_MS / 2);
    assert.deepEqual(await mailed(app), ['maya@test.example']);
    const [mail] = await app.site.database.read.all(outbox, {});
    assert.match(mail!.subject, /^2 new messages from /);
    assert.match(mail!.text, /\/app\/messages/);
    assert.doesNotMatch(mail!.text, /One|Two/);

    // The next mail about this thread waits.
    await team(thread, { text: 'Three' });
    app.advance(MAIL_AFTER_MS);
    assert.equal((await mailed(app)).length, 1);
    app.advance(MAIL_PAUSE_MS);
    assert.equal((await mailed(app)).length, 2);

    app.advance(MAIL_PAUSE_MS);
    const { body } = await team(thread, { text: 'Four' });
    await own(`${thread}/read`, { message_id: body.id });
    app.advance(MAIL_PAUSE_MS);
    assert.equal((await mailed(app)).length, 2);
  });

  test('the team gets them by member, with the switch of the profile', async () => {
    const { app, own } = await open();
    const session = await app.signIn('manager');
    const muted = { method: 'PATCH', session, json: { notifications: { messages: false } } };
    assert.equal((await app.call(`${STORE}/account`, muted)).status, 200);
    await own(thread, { text: 'Hello' });
    app.advance(MAIL_AFTER_MS);
    assert.deepEqual(await mailed(app), ['admin@test.example']);
    const [mail] = await app.site.database.read.all(outbox, {});
    assert.equal(mail!.subject, 'maya wrote to you');
    assert.match(mail!.text, new RegExp(`/console/messages/${maya}`));
  });
});

test('erasing a person deletes its thread and files, also while the add-on is off', async () => {
  const { app, own, team } = await open();
  await own(thread, { text: 'My secret', files: [pdf] });
  assert.equal((await team('/overview')).body.needs.length > 0, true);
  const exported = await team(`/affiliates/${maya}/person`);
  assert.ok(JSON.stringify(exported.body).includes('My secret'));
  const key = await app.key('admin', 'read,write,manage');
  await app.set({ 'addons.disabled': ['messages'] });
  assert.equal((await own(thread)).status, 404);
  const erased = await app.call(`${STORE}/affiliates/${maya}/anonymise`, {
    key,
    method: 'POST',
    json: { login: 'maya' },
  });
  assert.equal(erased.status, 200, erased.text);
  const left = query<object, { text: string }>((db) => db.selectFrom('messages').select('text'));
  assert.deepEqual(await app.site.database.read.all(left, {}), []);
  assert.equal(filesIn(app.site.filesFolder).length, 1);
  await cleanUpFiles.run(app.site);
  assert.deepEqual(filesIn(app.site.filesFolder), []);
});
