import assert from 'node:assert/strict';
import https from 'node:https';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { testServer } from '../postgres/databases.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../stores/woocommerce/fake-woocommerce.ts';
import type { Sent } from '../stores/woocommerce/fake-shop.ts';
import { changeDatabase, rowsIn, untilNobodyIsConnected } from './look-inside.ts';
import { install, run } from './run.ts';
import { startServer, type Server } from './running-server.ts';

const STORE = '~/svc/store/v1';
/** Fewer on PostgreSQL, where each takes longer. */
const ROUNDS = testServer() === undefined ? 3 : 2;
const ORDERS = 40;
const LIFE_MAX_MS = 400;

/** False if the server was killed before it answered. */
async function send(
  server: Server,
  { url, headers, body }: Sent,
  agent: https.Agent,
): Promise<boolean> {
  const path = `~${new URL(url).pathname}`;
  const json: unknown = JSON.parse(body.toString());
  try {
    const { status, text } = await server.call(path, { method: 'POST', headers, json, agent });
    assert.equal(status, 200, text);
    return true;
  } catch (error) {
    if ((error as Error).name === 'AssertionError') throw error;
    return false;
  }
}

test('kill -9 at random moments: every order of a shop is stored exactly once', async (t) => {
  const { data, key } = await install({
    'api.rate_per_minute': '1000000',
    'stores.allow_private': 'true',
  });
  const fake = await FakeWooCommerce.start(Date.now() - 86_400_000);
  after(() => fake.close());
  let server = await startServer(data);
  const call = async (method: string, path: string, json?: object) => {
    const reply = await server.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const affiliate = { login: 'ada', email: 'ada@test.example' };
  const { id: user_id } = await call('POST', '/affiliates', affiliate);
  await call('POST', '/coupons', { code: 'ADA10', user_id });
  const { id } = await call('POST', '/connections', {
    kind: 'woocommerce',
    name: 'Killed',
    url: fake.url,
    credentials: FAKE_KEYS,
  });

  let [kept, lost] = [0, 0];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (let i = 0; i < ORDERS; i += 1) {
      const order = fake.shop.place({ codes: ['ada10'], status: 'completed' });
      if (i % 5 === 0) fake.shop.refundLine(order.id);
    }
    const running = server;
    const waiting = fake.shop.takeQueue(fake.url);
    const agent = new https.Agent({ keepAlive: true, maxSockets: 4 });
    const before = kept;
    const sending = Promise.all(
      waiting.map(async (sent) => {
        if (await send(running, sent, agent)) kept += 1;
        else lost += 1;
      }),
    );
    await eventually(() => assert.ok(kept >= before + ORDERS / 2));
    await setTimeout(Math.random() * LIFE_MAX_MS);
    running.child.kill('SIGKILL');
    await sending;
    agent.destroy();
    assert.equal((await running.stop('SIGKILL')).signal, 'SIGKILL');
    await untilNobodyIsConnected(data);
    server = await startServer(data);
  }

  // What the killed processes had leased is due at once, not when the lease ends.
  await changeDatabase(data, "update store_deliveries set due_at = 1 where state = 'received'");
  const since = new Date(fake.shop.nowMs - 7 * 86_400_000).toISOString();
  await call('POST', `/connections/${id}/reconcile`, { since });
  const orders = ROUNDS * ORDERS;
  await eventually(async () => {
    const sql = "select count(*) as n from store_deliveries where state <> 'done'";
    assert.equal(Number((await rowsIn(data, sql))[0]!['n']), 0);
    assert.equal(Number((await rowsIn(data, 'select count(*) as n from orders'))[0]!['n']), orders);
  });
  const earned = await rowsIn(
    data,
    'select commission, count(*) as n from referrals group by commission order by commission',
  );
  assert.deepEqual(
    earned.map(({ commission, n }) => [Number(commission), Number(n)]),
    [
      [300, orders / 5],
      [480, (orders * 4) / 5],
    ],
  );
  const verified = await run(['verify', '--data', data]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  t.diagnostic(`${kept} deliveries kept, ${lost} lost with the process, found by reconciling`);
  assert.equal((await server.stop()).code, 0);
});
