import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../src/db/statements/query.ts';
import { openTestApp, refusal } from './support/harness.ts';

const app = await openTestApp();
const { site } = app;
const admin = await app.key('admin', 'read,write,manage');

const execute = (sql: string) => site.database.transaction((tx) => tx.execute(sql));
const answerRows = query<object, { identity: string; key: string; headers: string; body: string }>(
  (db) => db.selectFrom('idempotency_keys').selectAll().orderBy('created_at'),
);

const keep = (key: string, json: object, by = admin) =>
  app.call('/keys', { method: 'POST', key: by, json, headers: { 'idempotency-key': key } });

describe('an encrypted value that was copied', () => {
  test('to the response of another request is not returned', async () => {
    const first = await keep('move-1', { description: 'First' });
    await keep('move-2', { description: 'Second' });
    const [one, two] = (await site.database.read.all(answerRows, {})).slice(-2);
    await execute(
      `update idempotency_keys set body = '${one!.body}', headers = '${one!.headers}'
       where identity = '${two!.identity}' and key = '${two!.key}'`,
    );
    const reply = await keep('move-2', { description: 'Second' });
    assert.equal(refusal(reply), '500 svc_api_server_error');
    assert.ok(!reply.text.includes(first.body.token));
  });
});
