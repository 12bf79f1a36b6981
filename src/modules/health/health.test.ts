import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testServer } from '../../../test/postgres/databases.ts';
import { openTestApp, refusal, type CallOptions } from '../../../test/support/harness.ts';

const app = await openTestApp();
const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));

describe('GET /healthz', () => {
  test('200, without a database query', async () => {
    const { status, body } = await app.call('~/healthz');
    assert.equal(status, 200);
    assert.deepEqual(body, { status: 'ok' });
  });
});

describe('GET /readyz', () => {
  const ready = () => app.call('~/readyz');
  // The disk of PostgreSQL belongs to its server.
  const disk = testServer() === undefined ? { disk: 'ok' } : {};

  test('200: database, migrations and background jobs', async () => {
    const { status, body } = await ready();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: 'ready',
      checks: { database: 'ok', write: 'ok', ...disk, migrations: 'ok', worker: 'ok' },
    });
  });

  test('503: a migration is missing', async () => {
    await execute("update migrations set name = 'away' where name = 'events/0001-baseline'");
    const { status, body } = await ready();
    await execute("update migrations set name = 'events/0001-baseline' where name = 'away'");
    assert.equal(status, 503);
    assert.equal(body.status, 'not ready');
    assert.deepEqual(body.checks, {
      database: 'ok',
      write: 'ok',
      ...disk,
      migrations: 'failing',
      worker: 'ok',
    });
    assert.equal((await ready()).status, 200);
  });

  test('503: the database does not respond', async () => {
    await execute('alter table migrations rename to away');
    const { status, body } = await ready();
    await execute('alter table away rename to migrations');
    assert.equal(status, 503);
    assert.equal(body.checks.database, 'failing');
    assert.equal((await ready()).status, 200);
  });
});

describe('GET /metrics', async () => {
  const token = 'prometheus-scrapes-with-this';
  const headers = { authorization: `Bearer ${token}` };
  const withToken = await openTestApp({ config: { metricsToken: token } });
  const read = () => withToken.call('~/metrics', { headers });

  test('200: metrics of requests, database and process, with the token', async () => {
    await withToken.call('/nothing');
    await withToken.call('/me');
    const { status, headers: sent, text } = await read();
    assert.equal(status, 200);
    assert.match(sent.get('content-type')!, /^text\/plain/);
    assert.match(text, /^tributary_http_request_seconds_count\{.*route="\/svc\/v2\/me".*\} 1$/m);
    assert.match(text, /^tributary_http_request_seconds_count\{.*route="unknown".*\} 1$/m);
    assert.match(text, /^tributary_database_statements_total \d+$/m);
    assert.match(text, /^process_cpu_seconds_total/m);
  });

  test('the buckets of a histogram add up', async () => {
    const { text } = await read();
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

  test('unknown paths create no series', async () => {
    for (let i = 0; i < 5; i++) await withToken.call(`~/made/up/${i}`);
    assert.doesNotMatch((await read()).text, /made\/up/);
  });

  test('401: without the token, also for admins and from the same machine', async () => {
    const attempts: CallOptions[] = [
      {},
      { secure: false },
      { basic: await withToken.basic('admin') },
      { session: await withToken.signIn('admin') },
      { headers: { authorization: `Bearer ${token}x` } },
      { headers: { authorization: `Basic ${token}` } },
    ];
    for (const attempt of attempts) {
      const reply = await withToken.call('~/metrics', attempt);
      assert.equal(refusal(reply), '401 svc_api_unauthorized', JSON.stringify(attempt));
    }
  });

  test('wrong tokens count as failed sign-ins', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const guess = (authorization: string) =>
      withToken.call('~/metrics', { headers: { ...from, authorization } });
    for (let i = 0; i < 10; i++) assert.equal((await guess(`Bearer wrong-${i}`)).status, 401);
    assert.equal(refusal(await guess(`Bearer ${token}`)), '429 svc_api_too_many_auth_failures');
  });

  test('404: an unknown path if nothing is configured, for every caller', async () => {
    const unknown = await app.call('~/nothing');
    for (const attempt of [{}, { secure: false }, { basic: await app.basic('admin') }]) {
      const reply = await app.call('~/metrics', attempt);
      assert.equal(refusal(reply), '404 rest_no_route', JSON.stringify(attempt));
      assert.deepEqual(reply.body, unknown.body);
    }
  });

  test('200: requests from the same machine, if configured; 404 for others', async () => {
    const open = await openTestApp({ config: { metrics: 'loopback', trustedProxies: '' } });
    assert.equal((await open.call('~/metrics', { secure: false })).status, 200);
    for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via']) {
      const reply = await open.call('~/metrics', { secure: false, headers: { [name]: 'for=x' } });
      assert.equal(refusal(reply), '404 rest_no_route', name);
    }
  });

  test('404: through a trusted proxy on the same machine, even if it adds no header', async () => {
    const proxied = await openTestApp({ config: { metrics: 'loopback' } });
    const reply = await proxied.call('~/metrics', { secure: false });
    assert.equal(refusal(reply), '404 rest_no_route');
  });
});
