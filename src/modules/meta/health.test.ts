import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/harness.ts';

const app = await openTestApp();
const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));

describe('GET /healthz', () => {
  test('200, without asking the database', async () => {
    const { status, body } = await app.call('~/healthz');
    assert.equal(status, 200);
    assert.deepEqual(body, { status: 'ok' });
  });
});

describe('GET /readyz', () => {
  const ready = () => app.call('~/readyz');

  test('200: database, migrations and background jobs', async () => {
    const { status, body } = await ready();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', worker: 'ok' },
    });
  });

  test('503: a migration is missing', async () => {
    await execute("update migrations set name = 'away' where name = '0001-events'");
    const { status, body } = await ready();
    await execute("update migrations set name = '0001-events' where name = 'away'");
    assert.equal(status, 503);
    assert.equal(body.status, 'not ready');
    assert.deepEqual(body.checks, { database: 'ok', migrations: 'failing', worker: 'ok' });
    assert.equal((await ready()).status, 200);
  });

  test('503: the database does not answer', async () => {
    await execute('alter table migrations rename to away');
    const { status, body } = await ready();
    await execute('alter table away rename to migrations');
    assert.equal(status, 503);
    assert.equal(body.checks.database, 'failing');
    assert.equal((await ready()).status, 200);
  });
});

describe('GET /metrics', () => {
  /** Without forwarding headers: a caller on this machine. */
  const local = () => app.call('~/metrics', { secure: false });

  test('200: figures of requests, database and process, for callers on this machine', async () => {
    await app.call('/nothing');
    await app.call('/me');
    const { status, headers, text } = await local();
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/plain/);
    assert.match(text, /^tributary_http_request_seconds_count\{.*route="\/svc\/v2\/me".*\} 1$/m);
    assert.match(text, /^tributary_http_request_seconds_count\{.*route="unknown".*\} 1$/m);
    assert.match(text, /^tributary_database_statements \d+$/m);
    assert.match(text, /^process_cpu_seconds_total/m);
  });

  test('the buckets of a histogram add up', async () => {
    const { text } = await local();
    const lines = text.split('\n').filter((line) => line.includes('route="/svc/v2/me"'));
    const last = lines.find((line) => line.includes('le="+Inf"'))!;
    const count = lines.find((line) => line.startsWith('tributary_http_request_seconds_count'))!;
    assert.equal(last.split(' ').at(-1), count.split(' ').at(-1));
    const values = lines
      .filter((line) => line.includes('_bucket'))
      .map((line) => Number(line.split(' ').at(-1)));
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
  });

  test('unknown paths make no series of their own', async () => {
    for (let i = 0; i < 5; i++) await app.call(`~/made/up/${i}`);
    assert.doesNotMatch((await local()).text, /made/);
  });

  test('200: an admin from elsewhere, with an application password', async () => {
    assert.equal((await app.call('~/metrics', { basic: await app.basic('admin') })).status, 200);
    assert.equal(
      (await app.call('~/metrics', { session: await app.signIn('manager') })).status,
      200,
    );
  });

  test('401: anyone else from elsewhere', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    assert.equal(refusal(await app.call('~/metrics', { headers })), '401 svc_api_unauthorized');
  });

  test('401: a local proxy that passes somebody on, however it says so', async () => {
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']) {
      const reply = await app.call('~/metrics', { secure: false, headers: { [name]: 'for=x' } });
      assert.equal(refusal(reply), '401 svc_api_unauthorized', name);
    }
  });

  test('403: an affiliate', async () => {
    const basic = await app.basic('maya');
    assert.equal(refusal(await app.call('~/metrics', { basic })), '403 svc_api_forbidden');
  });
});
