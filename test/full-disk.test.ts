import assert from 'node:assert/strict';
import { query } from '../src/db/statements/query.ts';
import { testOnFile } from './postgres/file-or-server.ts';
import { eventually } from './support/eventually.ts';
import { openTestApp, refusal } from './support/harness.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const { database } = app.site;
const countKeys = query<object, { n: number }>((db) =>
  db.selectFrom('api_keys').select((eb) => eb.fn.countAll<number>().as('n')),
);
const countEvents = query<object, { n: number }>((db) =>
  db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('event', '=', 'key.created'),
);
const counts = async () => ({
  keys: (await database.read.first(countKeys, {}))!.n,
  events: (await database.read.first(countEvents, {}))!.n,
});

const createKey = () => app.call('/keys', { method: 'POST', key, json: {} });
/** Prevents the database file from growing, as a full disk does. */
const limitPages = (pages: number) =>
  database.transaction((tx) => tx.execute(`pragma max_page_count = ${pages}`));
const writeCheck = async () => {
  const { status, body } = await app.call('~/readyz');
  return `${status} ${body.checks.write}`;
};

testOnFile(
  'on a full disk a change is 503 and stores nothing; with free space the next change succeeds',
  'PostgreSQL has its own disk',
  async () => {
    assert.equal(await writeCheck(), '200 ok');
    await limitPages(1);
    let reply = await createKey();
    while (reply.status === 201) reply = await createKey();
    assert.equal(refusal(reply), '503 svc_api_not_writable');
    assert.equal(reply.headers.get('retry-after'), '5');
    assert.match(app.logs.join('\n'), /There is no space left on the disk of the database/);
    const full = await counts();
    assert.equal(full.events, full.keys, 'each key has its event');
    assert.equal((await app.call('/keys', { key })).status, 200);

    assert.equal(await writeCheck(), '503 failing', 'not ready, although reads still work');
    assert.equal(await writeCheck(), '503 failing');
    await createKey();
    const lines = app.logs.filter((line) => line.includes('a request failed'));
    assert.equal(lines.length, 1, 'one line, not one per request');

    await limitPages(2 ** 30);
    await eventually(async () => assert.equal(await writeCheck(), '200 ok'));
    assert.equal((await createKey()).status, 201);
    assert.deepEqual(await counts(), { keys: full.keys + 1, events: full.events + 1 });
    assert.ok(app.logs.some((line) => line.includes('changes can be stored again')));
  },
);
