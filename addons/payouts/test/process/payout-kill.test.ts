import assert from 'node:assert/strict';
import https from 'node:https';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  checkDatabase,
  readDatabase,
  untilNobodyIsConnected,
} from '../../../../test/process/look-inside.ts';
import { install, runHere } from '../../../../test/process/run.ts';
import { startServer, type Server } from '../../../../test/process/running-server.ts';
import { allowOneAccount } from '../../../../test/support/changes.ts';
import { eventually } from '../../../../test/support/eventually.ts';

const STORE = '~/svc/store/v1';
/** Fewer on PostgreSQL, where each takes longer; two-instances.test.ts also kills processes. */
const ROUNDS = 4;
const CLIENTS = 8;
const LIFE_MAX_MS = 400;
const STATUSES = ['pending', 'created', 'paid', 'cancel'];

/** A client that sends orders for its own coupon and handles the payouts of that coupon. */
class Client {
  readonly couponId: number;
  /** Acknowledged changes, as they are found in the database. */
  readonly payouts: number[] = [];
  readonly changes = new Map<number, string[]>();
  readonly notes: string[] = [];
  /** The last status of every order that was acknowledged, and of the one under way. */
  readonly orders = new Map<number, string>();
  orderUnderWay: { id: number; status: string } | undefined;
  /** The request without a response. */
  cutOff = 0;
  acknowledged = 0;
  #adjustments = 0;

  constructor(couponId: number) {
    this.couponId = couponId;
  }

  /** Works until a connection breaks. */
  async work(server: Server, key: string): Promise<void> {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const send = (method: string, path: string, json: object) =>
      server.call(path, { method, key, json, agent });
    try {
      for (;;) {
        await this.#step(send);
        this.acknowledged += 1;
      }
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error;
      this.cutOff += 1;
    } finally {
      agent.destroy();
    }
  }

  async #step(
    send: (method: string, path: string, json: object) => ReturnType<Server['call']>,
  ): Promise<void> {
    const chance = Math.random();
    if (chance < 0.25) {
      const note = `Coupon ${this.couponId}, adjustment ${++this.#adjustments}`;
      const amount = Math.ceil(Math.random() * 5_000) / 100;
      const path = `${STORE}/coupons/${this.couponId}/adjustments`;
      assert.equal((await send('POST', path, { amount, note })).status, 201);
      this.notes.push(note);
    } else if (chance < 0.45) {
      const id = this.couponId * 100 + Math.trunc(Math.random() * 5);
      const status = ['completed', 'processing', 'refunded'][Math.trunc(Math.random() * 3)]!;
      const order = {
        date: '2026-03-01T10:00:00',
        status,
        total: Math.ceil(Math.random() * 20_000) / 100,
        coupon_codes: [`KILL${this.couponId}`],
      };
      this.orderUnderWay = { id, status };
      const reply = await send('PUT', `${STORE}/orders/${id}`, order);
      assert.match(String(reply.status), /^20[01]$/, reply.text);
      this.orders.set(id, status);
      this.orderUnderWay = undefined;
    } else if (chance < 0.7 || this.payouts.length === 0) {
      const reply = await send('POST', '/payouts', { coupon_id: this.couponId });
      assert.match(String(reply.status), /^(?:20[01]|400|409)$/, reply.text);
      // A request whose response was lost is answered again.
      const isKnown = this.payouts.includes(reply.body.id);
      if (reply.status < 300 && !isKnown) this.payouts.push(reply.body.id);
    } else {
      const id = this.payouts.at(-1 - Math.trunc(Math.random() * 3)) ?? this.payouts[0]!;
      const status = STATUSES[Math.trunc(Math.random() * STATUSES.length)]!;
      const reply = await send('POST', `/payouts/${id}/status`, { status });
      assert.match(String(reply.status), /^(?:200|400|409)$/, reply.text);
      if (reply.status !== 200) return;
      this.changes.set(id, [...(this.changes.get(id) ?? []), status]);
    }
  }
}

interface Found {
  /** The statuses a payout has had, by its events. */
  histories: Map<number, string[]>;
  statuses: Map<number, string>;
  notes: Set<string>;
  orders: Map<number, string>;
}

function find(data: string): Promise<Found> {
  return readDatabase(data, async (select) => {
    const histories = new Map<number, string[]>();
    const notes = new Set<string>();
    for (const row of await select('select event, data from events order by id')) {
      const told = JSON.parse(String(row['data'])) as Record<string, any>;
      if (String(row['event']).startsWith('commission.')) notes.add(told['note']);
      if (!String(row['event']).startsWith('payout.')) continue;
      const history = histories.get(told['payout_id']) ?? [];
      assert.equal(told['from'], history.at(-1) ?? null, 'every step begins where the last ended');
      histories.set(told['payout_id'], [...history, told['status']]);
    }
    const map = async (sql: string) =>
      new Map((await select(sql)).map((row) => [Number(row['id']), String(row['status'])]));
    return {
      histories,
      notes,
      statuses: await map('select id, status from payouts'),
      orders: await map('select order_id as id, status from orders'),
    };
  });
}

function checkClient(client: Client, found: Found): void {
  for (const note of client.notes) assert.ok(found.notes.has(note), `${note} is lost`);
  for (const id of client.payouts) {
    const history = found.histories.get(id);
    assert.ok(history, `payout ${id} is lost`);
    const changes = client.changes.get(id) ?? [];
    // First the changes of the service itself, then the requested ones, in order.
    const byHand = history.slice(history[0] === 'processing' ? 2 : 1);
    assert.deepEqual(byHand.slice(0, changes.length), changes, `payout ${id}: a change is lost`);
    assert.ok(byHand.length <= changes.length + 1, `payout ${id}: changes from nowhere`);
    // The outcome of the lost response is known now.
    client.changes.set(id, byHand);
  }
  for (const [id, status] of client.orders) {
    const { orderUnderWay } = client;
    const possible = [status, ...(orderUnderWay?.id === id ? [orderUnderWay.status] : [])];
    assert.ok(possible.includes(found.orders.get(id)!), `order ${id} is not ${status}`);
    client.orders.set(id, found.orders.get(id)!);
  }
  client.orderUnderWay = undefined;
}

/** The affiliates of even coupons are paid by hand, the others at once. */
async function makeClients(server: Server, key: string): Promise<Client[]> {
  const clients: Client[] = [];
  const send = async (method: string, path: string, json: object) => {
    const reply = await server.call(path, { method, key, json });
    assert.match(String(reply.status), /^20[01]$/, reply.text);
    return reply.body;
  };
  // The affiliates that are paid by hand have the same account.
  await allowOneAccount((method, path, body) => send(method, STORE + path, body));
  for (let made = 1; made <= CLIENTS; made += 1) {
    const { id } = await send('POST', `${STORE}/affiliates`, {
      login: `affiliate${made}`,
      email: `affiliate${made}@test.example`,
    });
    const bank = { account_holder: 'Maya Okafor', iban: 'DE89370400440532013000' };
    await send('PUT', `${STORE}/affiliates/${id}/payout-details`, {
      method_type: made % 2 === 0 ? 'banktransfer' : 'credit',
      details: made % 2 === 0 ? bank : {},
    });
    const coupon = { code: `KILL${made}`, user_id: id };
    clients.push(new Client((await send('POST', `${STORE}/coupons`, coupon)).id));
  }
  return clients;
}

describe('kill -9 at a random moment of payouts', () => {
  test('loses nothing that was acknowledged and leaves nothing half done', async (t) => {
    const { data, key } = await install({
      'api.rate_per_minute': 1_000_000,
      'payouts.auto_accept': true,
      'payouts.details_hold_hours': 0,
      'payouts.auto_accept_max': 100_000,
    });
    let server = await startServer(data);
    const clients = await makeClients(server, key);
    const sum = (figure: 'acknowledged' | 'cutOff') =>
      clients.reduce((total, client) => total + client[figure], 0);

    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = sum('acknowledged');
      const running = server;
      const ends = clients.map((client) => client.work(running, key));
      const all = Promise.all(ends);
      await Promise.race([
        all,
        // Enough rounds for every kind of change.
        eventually(() => assert.ok(sum('acknowledged') > before + 8 * CLIENTS)),
      ]);
      await setTimeout(Math.random() * LIFE_MAX_MS);
      running.child.kill('SIGKILL');
      await all;
      assert.equal((await running.stop('SIGKILL')).signal, 'SIGKILL');

      await untilNobodyIsConnected(data);
      await checkDatabase(data);
      const found = await find(data);
      for (const [id, history] of found.histories) {
        assert.equal(found.statuses.get(id), history.at(-1), `payout ${id} is half done`);
      }
      assert.equal(found.statuses.size, found.histories.size, 'every payout has its events');
      for (const client of clients) checkClient(client, found);

      const [restarted, verified] = await Promise.all([
        startServer(data),
        runHere(['verify', '--data', data]),
      ]);
      assert.equal(verified.code, 0, `round ${round}: ${verified.stdout}${verified.stderr}`);
      server = restarted;
    }
    t.diagnostic(`${sum('acknowledged')} acknowledged, ${sum('cutOff')} cut off`);
    assert.ok(sum('acknowledged') > ROUNDS * CLIENTS);
    assert.ok(sum('cutOff') >= ROUNDS, `only ${sum('cutOff')} requests were under way`);
    const { histories } = await find(data);
    const seen = new Set([...histories.values()].flat());
    for (const status of STATUSES) assert.ok(seen.has(status), status);
    assert.equal((await server.stop()).code, 0);
  });
});
