import assert from 'node:assert/strict';
import { query } from '../src/db/query.ts';
import { openTestApp, refusal } from './harness.ts';
import { testOnFile } from './postgres/file-or-server.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const { database } = app.site;
const counts = query<object, { keys: number; events: number }>(
  (db) =>
    db.selectNoFrom((eb) => [
      eb.selectFrom('api_keys').select(eb.fn.countAll<number>().as('n')).as('keys'),
      eb
        .selectFrom('events')
        .select(eb.fn.countAll<number>().as('n'))
        .where('event', '=', 'key.created')
        .as('events'),
    ]) as never,
);

const createKey = () => app.call('/keys', { method: 'POST', key, json: {} });
/** As a full disk does, this keeps the file from growing. */
const limitPages = (pages: number) =>
  database.transaction((tx) => tx.execute(`pragma max_page_count = ${pages}`));

testOnFile(
  'on a full disk a change is refused with 503 and leaves nothing; with space the next one is made',
  'the disk of a server is its own',
  async () => {
    await limitPages(1);
    let made = 0;
    let reply = await createKey();
    for (; reply.status === 201; made++) reply = await createKey();
    assert.equal(refusal(reply), '503 svc_api_not_writable');
    assert.equal(reply.headers.get('retry-after'), '5');
    assert.match(app.logs.join('\n'), /There is no space left on the disk of the database/);
    const full = (await database.read.first(counts, {}))!;
    assert.equal(full.keys, made + 1);
    assert.equal(full.events, full.keys, 'each key has its event');
    assert.equal((await app.call('/keys', { key })).status, 200);
    await limitPages(2 ** 30);
    assert.equal((await createKey()).status, 201);
    assert.deepEqual(await database.read.first(counts, {}), {
      keys: full.keys + 1,
      events: full.keys + 1,
    });
  },
);
