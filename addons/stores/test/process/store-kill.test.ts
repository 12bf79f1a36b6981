import assert from 'node:assert/strict';
import https from 'node:https';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { testServer } from '../../../../test/postgres/databases.ts';
import {
  changeDatabase,
  rowsIn,
  untilNobodyIsConnected,
} from '../../../../test/process/look-inside.ts';
import { install, run } from '../../../../test/process/run.ts';
import { startServer, type Server } from '../../../../test/process/running-server.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import type { RawDelivery } from '../../connectors/connector.ts';
import { CLIENT, FakeShopify } from '../shopify/fake-shopify.ts';
import { FakeStripe, SECRET_KEY, signed } from '../stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../woocommerce/fake-woocommerce.ts';

const STORE = '~/svc/store/v1';
/** Fewer on PostgreSQL, where each takes longer. */
const ROUNDS = testServer() === undefined ? 3 : 2;
/** Of each store, per round. */
const ORDERS = 15;
const LIFE_MAX_MS = 400;
const DAY_MS = 86_400_000;

/** A store of any kind, as the test sees it. */
interface KilledStore {
  readonly kind: string;
  readonly url: string;
  readonly credentials: object;
  /** Sells something with the code ADA10. */
  sell(withRefund: boolean): void;
  /** What the store sends now. */
  takeDeliveries(): RawDelivery[];
  /** The commission of an order, and of one with a refund. */
  readonly earned: readonly [whole: number, refunded: number];
}

async function openStores(): Promise<KilledStore[]> {
  const startMs = Date.now() - DAY_MS;
  const woocommerce = await FakeWooCommerce.start(startMs);
  after(() => woocommerce.close());
  const shopify = await FakeShopify.open();
  after(() => shopify.api.close());
  shopify.nowMs = startMs;
  const stripe = await FakeStripe.open();
  after(() => stripe.api.close());
  const { account } = stripe;
  account.nowS = Math.floor(startMs / 1_000);
  return [
    {
      kind: 'woocommerce',
      url: woocommerce.url,
      credentials: FAKE_KEYS,
      sell(withRefund) {
        const order = woocommerce.shop.place({ codes: ['ada10'], status: 'completed' });
        if (withRefund) woocommerce.shop.refundLine(order.id);
      },
      takeDeliveries: () => woocommerce.shop.takeQueue(woocommerce.url),
      earned: [480, 300],
    },
    {
      kind: 'shopify',
      url: shopify.api.url,
      credentials: CLIENT,
      sell(withRefund) {
        const order = shopify.place({ code: 'ADA10' });
        if (withRefund) shopify.refund(order, 1);
      },
      takeDeliveries: () => shopify.queue.splice(0),
      earned: [1805, 1085],
    },
    {
      kind: 'stripe',
      url: stripe.api.url,
      credentials: { secret_key: SECRET_KEY },
      sell(withRefund) {
        const { charge } = account.sell({ code: 'ADA10' });
        if (withRefund) account.refund(charge, 5_650);
      },
      takeDeliveries() {
        const secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
        return stripe.takeEvents().map((event) => signed(event, secret, Date.now()));
      },
      earned: [900, 450],
    },
  ];
}

/** False if the server was killed before it answered. */
async function send(
  server: Server,
  path: string,
  { headers, body }: RawDelivery,
  agent: https.Agent,
): Promise<boolean> {
  const json: unknown = JSON.parse(body.toString());
  try {
    const given = { method: 'POST', headers: { ...headers }, json, agent };
    const { status, text } = await server.call(path, given);
    assert.equal(status, 200, text);
    return true;
  } catch (error) {
    if ((error as Error).name === 'AssertionError') throw error;
    return false;
  }
}

test('kill -9 at random moments: every order of every store is stored exactly once', async (t) => {
  const { data, key } = await install({
    'api.rate_per_minute': 1_000_000,
    'stores.allow_private': true,
  });
  const stores = await openStores();
  let server = await startServer(data);
  const call = async (method: string, path: string, json?: object) => {
    const reply = await server.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const affiliate = { login: 'ada', email: 'ada@test.example' };
  const { id: user_id } = await call('POST', '/affiliates', affiliate);
  await call('POST', '/coupons', { code: 'ADA10', user_id });
  const ids: number[] = [];
  for (const { kind, url, credentials } of stores) {
    const given = { kind, name: `Killed ${kind}`, url, credentials };
    ids.push((await call('POST', '/connections', given)).id);
  }

  let [kept, lost] = [0, 0];
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const store of stores) {
      for (let i = 0; i < ORDERS; i += 1) store.sell(i % 5 === 0);
    }
    const running = server;
    const agent = new https.Agent({ keepAlive: true, maxSockets: 6 });
    const before = kept;
    const waiting = stores.flatMap((store, i) =>
      store.takeDeliveries().map((delivery, n) => ({
        path: `~/connect/${store.kind}/${ids[i]}`,
        delivery,
        n,
      })),
    );
    // The stores send at the same time.
    waiting.sort((a, b) => a.n - b.n);
    const sending = Promise.all(
      waiting.map(async ({ path, delivery }) => {
        if (await send(running, path, delivery, agent)) kept += 1;
        else lost += 1;
      }),
    );
    await eventually(() => assert.ok(kept >= before + waiting.length / 4));
    await setTimeout(Math.random() * LIFE_MAX_MS);
    running.child.kill('SIGKILL');
    await sending;
    agent.destroy();
    assert.equal((await running.stop('SIGKILL')).signal, 'SIGKILL');
    await untilNobodyIsConnected(data);
    server = await startServer(data);
  }

  // A server that is alone on its database releases what the killed one had leased.
  if (testServer() !== undefined) {
    await changeDatabase(data, "update store_deliveries set due_at = 1 where state = 'received'");
  }
  await eventually(async () => {
    const sql = "select count(*) as n from store_deliveries where state <> 'done'";
    assert.equal(Number((await rowsIn(data, sql))[0]!['n']), 0);
  });
  // Last, because Shopify dates versions by the second: an old delivery of the same second replaces what was read
  // before it, until the next reconciling.
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString();
  for (const id of ids) await call('POST', `/connections/${id}/reconcile`, { since });
  const orders = ROUNDS * ORDERS;
  const earned = stores
    .flatMap(({ earned: [whole, refunded] }) => [
      [refunded, orders / 5],
      [whole, (orders * 4) / 5],
    ])
    .toSorted(([a], [b]) => a! - b!);
  const countedBy = async (column: string, table: string) => {
    const select = `select ${column} as value, count(*) as n from ${table}`;
    const rows = await rowsIn(data, `${select} group by ${column} order by ${column}`);
    return rows.map(({ value, n }) => [Number(value), Number(n)]);
  };
  // The background job may read the rest of a store.
  await eventually(async () => {
    assert.deepEqual(
      await countedBy('store_id', 'orders'),
      ids.map((id) => [id, orders]),
    );
    assert.deepEqual(await countedBy('commission', 'referrals'), earned);
  });
  const verified = await run(['verify', '--data', data]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  t.diagnostic(`${kept} deliveries kept, ${lost} lost with the process, found by reconciling`);
  assert.equal((await server.stop()).code, 0);
});
