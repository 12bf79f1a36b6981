import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { openTestApp, PASSWORD, refusal } from '../../../test/support/harness.ts';
import { requestText } from '../../../test/support/raw.ts';
import { passwordQueue } from '../users/password.ts';

const app = await openTestApp();

const signIn = (address: string, login: string, password: string) =>
  app.call('~/session', {
    method: 'POST',
    json: { login, password },
    headers: { 'x-forwarded-for': address },
  });

/** Sends many sign-ins on one connection without waiting for answers. */
function pipeline(
  address: string,
  count: number,
  login: string,
): { socket: Socket; statuses: () => number[] } {
  const body = JSON.stringify({ login, password: 'wrong wrong wrong' });
  const one = requestText(
    'POST /session',
    {
      Connection: 'keep-alive',
      'Content-Type': 'application/json',
      'X-Forwarded-For': address,
      'X-Forwarded-Proto': 'https',
    },
    body,
  );
  let answers = '';
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.setEncoding('utf8').on('data', (text: string) => (answers += text));
  socket.on('error', () => {});
  socket.write(one.repeat(count));
  return {
    socket,
    statuses: () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
  };
}

/** The servers' sides of all connections of this process. */
const accepted: Socket[] = [];
subscribe('net.server.socket', (message) => accepted.push((message as { socket: Socket }).socket));

const serverSideOf = (client: Socket): Socket =>
  accepted.find(({ remotePort: port }) => port !== undefined && port === client.localPort) ??
  assert.fail('not accepted yet');

const hashedBy = async (action: () => Promise<unknown>) => {
  const before = passwordQueue.startedCount;
  await action();
  return passwordQueue.startedCount - before;
};

describe('500 pipelined sign-ins', () => {
  test('cost ten hashes, and another network signs in beside them', async () => {
    const hashed = await hashedBy(async () => {
      const { startedCount } = passwordQueue;
      const crowd = pipeline('203.0.113.1', 500, 'maya');
      await eventually(() => assert.ok(passwordQueue.startedCount > startedCount));
      assert.equal((await signIn('203.0.113.2', 'tomas', PASSWORD)).status, 201);
      // On an overloaded machine a 408 may come as well, if one of them waits too long for its last bytes.
      const answered = () => crowd.statuses().filter((status) => status !== 408);
      await eventually(() => assert.equal(answered().length, 500));
      const answers = Map.groupBy(answered(), (status) => status);
      assert.deepEqual([answers.get(401)?.length, answers.get(429)?.length], [10, 490]);
      crowd.socket.destroy();
    });
    assert.equal(hashed, 11, 'ten guesses, and the sign-in of the other network');
  });

  test('of a caller who is gone are not hashed', async () => {
    // Both places are taken for a while, so that the callers wait.
    const ends: (() => void)[] = [];
    const taken = [1, 2].map((i) =>
      passwordQueue.run({ name: `test ${i}`, requireStillThere: () => {} }, () => {
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    const { socket } = pipeline('203.0.113.3', 5, 'other');
    const atServer = await eventually(() => serverSideOf(socket));
    await eventually(() => assert.equal(passwordQueue.waitingCount, 5));
    const hashed = await hashedBy(async () => {
      const closed = once(atServer, 'close');
      socket.destroy();
      await closed;
      for (const end of ends) end();
      await Promise.all(taken);
      await eventually(() => assert.equal(passwordQueue.waitingCount, 0));
    });
    assert.equal(hashed, 0);
  });
});

describe('the cost of a sign-in', () => {
  test('one hash, whether the login is known, unknown, or has no password', async () => {
    const { site } = app;
    await site.database.transaction((tx) =>
      tx.execute("update users set password_hash = null where login = 'carla'"),
    );
    await site.database.transaction((tx) =>
      tx.execute("update users set password_hash = 'of another kind' where login = 'manager'"),
    );
    for (const login of ['admin', 'nobody', 'carla', 'manager']) {
      const hashed = await hashedBy(async () => {
        const reply = await signIn('203.0.113.4', login, 'wrong wrong wrong');
        assert.equal(refusal(reply), '401 svc_api_unauthorized');
      });
      assert.equal(hashed, 1, login);
    }
  });
});

describe('when the queue is full', () => {
  test('429 for a network that fills it, 503 for all when everyone does; both say when to come back', async () => {
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const fill = (name: string) =>
      passwordQueue.run({ name, requireStillThere: () => {} }, work).catch(() => {});
    const filled = [fill('test 1'), fill('test 2')];
    for (let i = 0; i < 20; i++) filled.push(fill('203.0.113.5'));
    const own = await signIn('203.0.113.5', 'tomas', PASSWORD);
    assert.equal(refusal(own), '429 svc_api_rate_limited');
    assert.equal(own.headers.get('retry-after'), '5');

    for (let i = 0; i < 99; i++) filled.push(fill(`filler ${i}`));
    const all = await signIn('203.0.113.6', 'tomas', PASSWORD);
    assert.equal(refusal(all), '503 svc_api_busy');
    assert.equal(all.headers.get('retry-after'), '5');
    assert.equal((await app.call('~/healthz')).status, 200);

    const over = Promise.all(filled);
    while (passwordQueue.waitingCount > 0 || ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    }
    await over;
    assert.equal((await signIn('203.0.113.6', 'tomas', PASSWORD)).status, 201);
  });
});
