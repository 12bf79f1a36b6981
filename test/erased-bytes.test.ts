import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { testServer } from './postgres/databases.ts';
import { eventually } from './support/eventually.ts';
import { openTestApp } from './support/harness.ts';

const STORE = '/svc/store/v1';

// PostgreSQL removes old rows by its own vacuum.
if (testServer() === undefined) {
  test('the text of an erased person is soon no longer in the database file and its log', async () => {
    const app = await openTestApp();
    const key = await app.key('admin', 'read,write,manage');
    const file = app.app.folder.databaseFile;
    const checkpoint = () => {
      const db = new DatabaseSync(file, { timeout: 10_000 });
      const result = db.prepare('pragma wal_checkpoint(truncate)').get();
      db.close();
      assert.equal(result!['busy'], 0);
    };
    const isIn = (text: string) =>
      [file, `${file}-wal`].some((one) => existsSync(one) && readFileSync(one).includes(text));
    const send = async (method: string, path: string, json: object) => {
      const reply = await app.call(STORE + path, { method, key, json });
      assert.ok(reply.status < 300, reply.text);
      return reply.body;
    };
    const names = Array.from({ length: 30 }, (_, i) => `Quistgaard-${i}-${'z'.repeat(60)}`);
    const ids: number[] = [];
    for (const [i, display_name] of names.entries()) {
      const person = { login: `person${i}`, email: `fjord${i}@quist.example`, display_name };
      ids.push((await send('POST', '/affiliates', person)).id);
      await send('POST', `/affiliates/${ids[i]}/notes`, { text: `Note on ${display_name}` });
    }
    checkpoint();
    for (const name of names) assert.ok(isIn(name), 'stored as readable text');
    for (const [i, id] of ids.entries()) {
      await send('POST', `/affiliates/${id}/anonymise`, { login: `person${i}` });
    }
    await eventually(() => {
      for (const trace of ['Quistgaard', 'quist.example', 'fjord']) assert.ok(!isIn(trace), trace);
    });
  });
}
