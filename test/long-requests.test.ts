import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import Type from 'typebox';
import { freeEdition } from '../src/edition-free.ts';
import { HttpResponse } from '../src/kernel/declare/http-response.ts';
import { defineModule } from '../src/kernel/declare/module.ts';
import { operation, whenSearched } from '../src/kernel/declare/operation.ts';
import { eventually } from './support/eventually.ts';
import { openTestApp, refusal, type CallOptions } from './support/harness.ts';
import { requestText } from './support/raw.ts';

/** Reports that end when the test says so, in the order in which they began. */
const begun: string[] = [];
const ends: (() => void)[] = [];
let isOver = false;

const declared = {
  namespace: 'store',
  summary: 'For tests',
  access: 'public',
  scope: null,
  response: Type.Unknown(),
} as const;

const report = operation({
  ...declared,
  method: 'POST',
  path: '/try-out/reports',
  long: true,
  transaction: false,
  body: Type.Object({ name: Type.String() }),
  handle: async (_, { name }) => {
    begun.push(name);
    if (!isOver) await new Promise<void>((resolve) => ends.push(resolve));
    return { name };
  },
});

const list = operation({
  ...declared,
  method: 'GET',
  path: '/try-out/list',
  long: whenSearched,
  query: Type.Object({ search: Type.Optional(Type.String()) }),
  handle: () => ({}),
});

const endless = operation({
  ...declared,
  method: 'GET',
  path: '/try-out/endless.csv',
  long: true,
  handle: () => HttpResponse.encoded<string>(endlessRows()),
});

/** Files whose clients have left. */
let closed = 0;

async function* endlessRows(): AsyncGenerator<string> {
  begun.push('endless');
  try {
    for (;;) yield 'x'.repeat(100_000);
  } finally {
    closed += 1;
  }
}

const tryOut = defineModule({
  name: 'try-out',
  summary: 'For tests',
  addon: false,
  operations: [report, list, endless],
});

const app = await openTestApp({ modules: [...freeEdition, tryOut] });
const REPORTS = '/svc/store/v1/try-out/reports';
const keys = {
  admin: await app.key('admin', 'read,write,manage'),
  manager: await app.key('manager', 'read,write,manage'),
  maya: await app.key('maya', 'read,write'),
};
type Name = keyof typeof keys;
// After a failed test some may still wait.
after(() => {
  isOver = true;
  for (const end of ends) end();
});

const ask = (who: Name, i: number, options: CallOptions = { key: keys[who] }) =>
  app.call(REPORTS, { method: 'POST', json: { name: `${who} ${i}` }, ...options });
const askAll = (who: Name, count: number) =>
  Array.from({ length: count }, (_, i) => ask(who, i + 1));

async function gaugeOf(name: 'running' | 'waiting'): Promise<number> {
  const metric = app.site.metrics.getSingleMetric(`tributary_long_requests_${name}`);
  return (await metric!.get()).values[0]!.value;
}

const settled = (running: number, waiting: number) =>
  eventually(async () =>
    assert.deepEqual([await gaugeOf('running'), await gaugeOf('waiting')], [running, waiting]),
  );

/** Ends the reports in the order in which they began, until none is left, and returns that order. */
async function endAll(): Promise<string[]> {
  while ((await gaugeOf('running')) > 0) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  return begun.splice(0);
}

describe('long requests', () => {
  test('of one caller wait for each other, and those of another do not wait for them', async () => {
    const own = askAll('admin', 15);
    await settled(2, 13);
    const other = ask('manager', 1);
    await settled(3, 13);
    assert.equal(begun[2], 'manager 1');
    await endAll();
    assert.equal((await other).status, 200);
    for (const reply of await Promise.all(own)) assert.equal(reply.status, 200);
  });

  test('of a caller with many leave the next place to one with few', async () => {
    const before = [...askAll('admin', 12), ...askAll('manager', 12)];
    await settled(4, 20);
    const maya = ask('maya', 1);
    await settled(4, 21);
    const order = await endAll();
    assert.ok(order.indexOf('maya 1') <= 4 + 2, order.join(', '));
    assert.equal((await maya).status, 200);
    await Promise.all(before);
  });

  test('beyond the bound are refused with 429, say when to come back, and do nothing', async () => {
    const replies = askAll('admin', 50);
    await settled(2, 20);
    // Of the other 28, each is answered before any report has ended.
    let refused = 0;
    for (const reply of replies) {
      void reply.then(({ status }) => (refused += status === 429 ? 1 : 0));
    }
    await eventually(() => assert.equal(refused, 28));
    const other = ask('manager', 1);
    await settled(3, 20);
    const order = await endAll();
    assert.equal(order.length, 23);
    assert.equal((await other).status, 200);
    for (const reply of await Promise.all(replies)) {
      if (reply.status === 200) continue;
      assert.equal(refusal(reply), '429 svc_api_rate_limited');
      assert.equal(reply.body.data.retry_after, 5);
      assert.equal(reply.headers.get('retry-after'), '5');
    }
  });

  test('are those of a person, with all keys and sessions', async () => {
    const session = await app.signIn('admin');
    const replies = [
      ...askAll('admin', 2),
      ask('admin', 3, { key: await app.key('admin', 'read,write') }),
      ask('admin', 4, { session }),
    ];
    await settled(2, 2);
    await endAll();
    await Promise.all(replies);
  });

  test('without credentials are those of a network', async () => {
    const from = (address: string, i: number) =>
      app.call(REPORTS, {
        method: 'POST',
        json: { name: `${address} ${i}` },
        headers: { 'x-forwarded-for': address },
      });
    const replies = [1, 2, 3].map((i) => from('203.0.113.7', i));
    await settled(2, 1);
    replies.push(from('203.0.113.8', 1));
    await settled(3, 1);
    await endAll();
    await Promise.all(replies);
  });

  test('that were refused can be sent again with the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-report' };
    const replies = askAll('admin', 22);
    await settled(2, 20);
    const refused = await ask('admin', 23, { key: keys.admin, headers });
    assert.equal(refused.status, 429);
    await endAll();
    await Promise.all(replies);
    const again = ask('admin', 23, { key: keys.admin, headers });
    await settled(1, 0);
    await endAll();
    assert.equal((await again).headers.get('idempotent-replayed'), null);
  });

  test('are lists while they are searched', async () => {
    const replies = askAll('admin', 2);
    await settled(2, 0);
    const path = '/svc/store/v1/try-out/list';
    assert.equal((await app.call(path, { key: keys.admin })).status, 200);
    const searched = app.call(`${path}?search=a`, { key: keys.admin });
    await settled(2, 1);
    await endAll();
    assert.equal((await searched).status, 200);
    await Promise.all(replies);
  });
});

describe('a client that leaves', () => {
  const headersOf = (who: Name) => ({
    Authorization: `Bearer ${keys[who]}`,
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '203.0.113.9',
    Connection: 'keep-alive',
  });
  const send = (text: string) => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(text));
    socket.on('error', () => {});
    return socket;
  };

  test('gives the place back in which it waits', async () => {
    const running = askAll('admin', 2);
    await settled(2, 0);
    const text = requestText(
      `POST ${REPORTS}`,
      { ...headersOf('admin'), 'Content-Type': 'application/json' },
      JSON.stringify({ name: 'gone' }),
    );
    const accepted: Socket[] = [];
    app.server.on('connection', (socket: Socket) => accepted.push(socket));
    const gone = Array.from({ length: 20 }, () => send(text));
    await settled(2, 20);
    for (const socket of gone.slice(0, 5)) socket.destroy();
    await eventually(() => assert.equal(accepted.filter(({ destroyed }) => destroyed).length, 5));
    const more = Array.from({ length: 5 }, (_, i) => ask('admin', i + 100));
    await settled(2, 20);
    for (const socket of gone) socket.destroy();
    const order = await endAll();
    for (let i = 0; i < 5; i++) assert.ok(order.includes(`admin ${i + 100}`), order.join(', '));
    for (const reply of await Promise.all([...running, ...more])) assert.equal(reply.status, 200);
  });

  test('keeps no place while it reads a file slowly, and has at most four', async () => {
    const path = '/svc/store/v1/try-out/endless.csv';
    const slow = Array.from({ length: 4 }, () =>
      send(requestText(`GET ${path}`, headersOf('maya'))),
    );
    await eventually(() => assert.equal(begun.length, 4));
    await settled(0, 0);
    const fifth = await app.call(path, { key: keys.maya });
    assert.equal(refusal(fifth), '429 svc_api_rate_limited');
    // A file of another and a report of the same person are not concerned.
    const other = send(requestText(`GET ${path}`, headersOf('manager')));
    const own = ask('maya', 1);
    await settled(1, 0);
    await eventually(() => assert.equal(begun.filter((name) => name === 'endless').length, 5));
    await endAll();
    assert.equal((await own).status, 200);
    slow[0]!.destroy();
    await eventually(() => assert.equal(closed, 1));
    const next = send(requestText(`GET ${path}`, headersOf('maya')));
    await eventually(() => assert.equal(begun.length, 1));
    for (const socket of [...slow, other, next]) socket.destroy();
    await eventually(() => assert.equal(closed, 6));
    begun.length = 0;
  });

  test('ends all files on its connection', async () => {
    const one = requestText('GET /svc/store/v1/try-out/endless.csv', headersOf('maya'));
    const accepted: Socket[] = [];
    app.server.once('connection', (socket: Socket) => accepted.push(socket));
    const socket = send(one.repeat(4));
    await eventually(() => assert.ok(begun.length > 0));
    await settled(0, 0);
    socket.destroy();
    await eventually(() => assert.ok(accepted[0]!.closed));
    begun.length = 0;
    const next = Array.from({ length: 4 }, () => send(one));
    await eventually(() => assert.equal(begun.length, 4));
    for (const each of next) each.destroy();
    begun.length = 0;
  });
});
