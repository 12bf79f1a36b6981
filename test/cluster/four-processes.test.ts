import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openFakeStripe } from '../gateways/fake-stripe.ts';
import { testServer } from '../postgres/databases.ts';
import type { Reply, Server } from '../process/running-server.ts';
import { testRedis } from '../redis/server.ts';
import { allowOneAccount } from '../support/changes.ts';
import { eventually } from '../support/eventually.ts';
import { MailReceiver } from '../support/mail-receiver.ts';
import { Receiver } from '../support/receiver.ts';
import { Cluster, INSTANCES, STORE } from './cluster.ts';
import { arrivals, MailTrouble } from './mails.ts';
import { assertLeasesEnd, pruners, PrunedRows, waitingStatements } from './pruning.ts';
import {
  AccountMover,
  FeedReader,
  KeyUser,
  OrderSender,
  PayoutTaker,
  type Shopper,
} from './shoppers.ts';

const KILLS = 4;
const COUPONS = 4;
const MOVERS = 3;
/** What a dead instance held is free after a minute at most. */

const [server, redis] = [testServer(), testRedis()];
if (server !== undefined && redis !== undefined) {
  describe('four processes', () => fourProcesses(server, redis));
}

async function fourProcesses(url: string, redisUrl: string): Promise<void> {
  const stripe = await openFakeStripe();
  after(() => stripe.close());
  const mailServer = await new MailReceiver().listen();
  const cluster = await Cluster.open(url, {
    settings: {
      'api.rate_per_minute': 1_000_000,
      'payouts.auto_accept': true,
      'payouts.details_hold_hours': 0,
      'payouts.auto_accept_max': 100_000,
      'webhooks.allow_private': true,
    },
    env: {
      REDIS_URL: redisUrl,
      TRIBUTARY_STRIPE_URL: stripe.url,
      TRIBUTARY_STRIPE_KEY: stripe.key,
      TRIBUTARY_SMTP_URL: mailServer.url(),
      TRIBUTARY_MAIL_FROM: 'program@store.example',
    },
  });
  const post = async (path: string, json: object, method = 'POST') => {
    const reply = await cluster.call(path, { method, json });
    assert.match(String(reply.status), /^20[01]$/, reply.text);
    return reply.body;
  };
  const atOnce = (count: number, ask: (i: number) => Promise<Reply>) =>
    Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
  const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();

  // All who are paid to a bank have the same account.
  await allowOneAccount((method, path, json) => post(STORE + path, json, method));

  let people = 0;
  const newAffiliate = async () => {
    const login = `person${++people}`;
    const email = `${login}@test.example`;
    const { id } = await post(`${STORE}/affiliates`, { login, email });
    return { id: id as number, login, email };
  };
  /** A coupon of an affiliate of its own who can be paid. */
  const couponOf = async (method_type: 'banktransfer' | 'stripe', percent = 10) => {
    const { id, login: name } = await newAffiliate();
    const details =
      method_type === 'stripe'
        ? { account: `acct_1NXcluster${people}` }
        : { account_holder: 'Maya Okafor', iban: 'DE89370400440532013000' };
    await post(`${STORE}/affiliates/${id}/payout-details`, { method_type, details }, 'PUT');
    const coupon = { code: name, user_id: id, percent_override: percent };
    return { id: (await post(`${STORE}/coupons`, coupon)).id as number, code: name };
  };
  const earn = (id: number, amount: number) =>
    post(`${STORE}/coupons/${id}/adjustments`, { amount, note: 'Test' });

  test('32 concurrent requests for a payout: one is made', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await couponOf('banktransfer');
      await earn(id, 80);
      const replies = await atOnce(32, () =>
        cluster.call('/payouts', { method: 'POST', json: { coupon_id: id } }),
      );
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
      assert.ok(replies.every(({ status }) => [200, 201, 409].includes(status)));
      const ids = replies.flatMap(({ body }) => (body.id === undefined ? [] : [body.id]));
      assert.equal(new Set(ids).size, 1);
    }
  });

  test('32 concurrent requests for a payout by a gateway: it is paid once', async () => {
    const { id } = await couponOf('stripe');
    await earn(id, 80);
    const before = stripe.payments.length;
    const replies = await atOnce(32, () =>
      cluster.call('/payouts', { method: 'POST', json: { coupon_id: id } }),
    );
    const said = replies.map(({ status, text }) => `${status} ${text}`).join('\n');
    assert.equal(stripe.payments.length, before + 1, said);
    assert.equal(replies.filter(({ status }) => status === 201).length, 1, said);
  });

  test('16 concurrent changes of a status: money moves once a step', async () => {
    const { id } = await couponOf('banktransfer');
    await earn(id, 80);
    const payout = await post('/payouts', { coupon_id: id });
    const wanted = ['paid', 'cancel', 'created', 'paid'];
    const replies = await atOnce(16, (i) =>
      cluster.call(`/payouts/${payout.id}/status`, {
        method: 'POST',
        json: { status: wanted[i % wanted.length] },
      }),
    );
    assert.ok(
      replies.every(({ status }) => [200, 400, 409].includes(status)),
      `${statuses(replies)}`,
    );
    assert.deepEqual(await cluster.differences(), []);
    const { body } = await cluster.call(`/coupons/${id}`);
    const pools = [body.unpaid_commission, body.pending_payout_commission, body.paid_commission];
    assert.equal(
      pools.reduce((sum, pool) => sum + pool, 0),
      80,
    );
  });

  // Runs before tests whose bad credentials count as anonymous requests.
  test('a limit is one limit, to the request', async () => {
    const settings = { 'api.anonymous_rate_per_minute': 60 };
    await post(`${STORE}/settings`, settings, 'PATCH');
    const replies: Reply[] = [];
    // Anonymous callers share one limit.
    const knock = async (one: Server) => {
      const headers = { 'x-forwarded-proto': 'https' };
      const reply = await one.call('/openapi', { headers });
      replies.push(reply);
      return reply;
    };
    await eventually(async () => {
      for (const one of cluster.running) {
        const { headers } = await knock(one);
        assert.match(String(headers['ratelimit-policy']), /q=60;/);
      }
    });
    // Enough requests that each instance uses up its lease.
    await atOnce(400, (i) => knock(cluster.running[i % INSTANCES]!));
    assert.equal(replies.filter(({ status }) => status === 200).length, 60);
    assert.ok(replies.every(({ status }) => status === 200 || status === 429));
  });

  test('a key and a switch are the same everywhere', async () => {
    const { id, token } = await post('/keys', {});
    assert.deepEqual(statuses(await cluster.askEach('/me', { key: token })), [200, 200, 200, 200]);
    await cluster.call(`/keys/${id}`, { method: 'DELETE' });
    await cluster.call(`${STORE}/settings`, {
      method: 'PATCH',
      json: { 'api.disabled_endpoints': ['store:get_groups'] },
    });
    await eventually(async () => {
      assert.deepEqual(
        statuses(await cluster.askEach('/me', { key: token })),
        [401, 401, 401, 401],
      );
      const switched = await cluster.askEach(`${STORE}/groups`);
      assert.deepEqual(statuses(switched), [404, 404, 404, 404]);
    });
  });

  test('mails: each arrives, and again only what a killed one was handing over', async (t) => {
    const affiliates = await Promise.all(Array.from({ length: MOVERS }, newAffiliate));
    const movers = affiliates.map((affiliate) => new AccountMover(cluster, affiliate));
    const trouble = new MailTrouble(cluster, mailServer);
    let isOver = false;
    const working = movers.map((mover) => mover.work(() => isOver));
    await trouble.killSender({ unanswered: true });
    await trouble.killSender({ unanswered: false });
    await trouble.killSender({ unanswered: true });
    isOver = true;
    await Promise.all(working);

    const mails = await trouble.everyMail();
    for (const { email, moves } of movers) {
      const told = mails.filter(({ to_address }) => to_address === email);
      assert.equal(told.length, moves, 'a mail for each change');
    }
    const counts = arrivals(mailServer);
    for (const { id, attempts } of mails) {
      const count = counts.get(Number(id)) ?? 0;
      assert.ok(count >= 1 && count <= Number(attempts), `mail ${id} came ${count} times`);
      if (!trouble.interrupted.has(Number(id))) assert.equal(Number(attempts), 1);
    }
    assert.equal(counts.size, mails.length, 'no mail from nowhere');
    const again = mailServer.received.length - mails.length;
    t.diagnostic(`${mails.length} mails, ${trouble.interrupted.size} interrupted, ${again} again`);
    assert.ok(again > 0, 'the kills hit what they were to hit');
  });

  test('pruning: due rows are removed and others stay, whichever instance is killed', async () => {
    const rows = new PrunedRows(cluster);
    const letGo = await rows.writeHeld();
    const [due, kept] = [await rows.count('due'), await rows.count('kept')];
    const restart = async (index: number) => {
      await cluster.kill(index);
      await cluster.endLeasesOfTheDead();
      await cluster.start(index);
    };

    const first = await eventually(() => pruners(cluster));
    for (const index of first) await restart(index);
    await eventually(async () => assert.equal(await waitingStatements(cluster), 4));
    const killed = await pruners(cluster);
    for (const index of killed) await cluster.kill(index);
    await assertLeasesEnd(cluster);
    await letGo();
    await eventually(async () => assert.equal(await waitingStatements(cluster), 0));
    assert.deepEqual(await rows.count('due'), due, 'all or nothing');

    await cluster.endLeasesOfTheDead();
    await Promise.all([...killed].map((index) => cluster.start(index)));
    await eventually(async () => {
      const none = Object.fromEntries(Object.keys(due).map((table) => [table, 0]));
      assert.deepEqual(await rows.count('due'), none);
    });
    assert.deepEqual(await rows.count('kept'), kept);
  });

  test('while they are killed one after the other, nothing is lost and nothing is done twice', async (t) => {
    const receiver = await new Receiver().listen();
    const hook = await post('/webhooks', { url: receiver.url, events: ['*'] });
    const first = Number((await cluster.call('/events?per_page=1')).body[0].id) + 1;
    const coupons = await Promise.all(Array.from({ length: COUPONS }, () => couponOf('stripe')));
    const orderCoupons = await Promise.all(
      Array.from({ length: COUPONS }, () => couponOf('banktransfer')),
    );
    const paidBefore = stripe.payments.length;
    const takers = coupons.map(({ id }) => new PayoutTaker(cluster, id));
    const senders = orderCoupons.map(({ code }) => new OrderSender(cluster, code));
    const keys = new KeyUser(cluster);
    const readers = [new FeedReader(cluster), new FeedReader(cluster)];
    const shoppers: Shopper[] = [...takers, ...senders, keys];

    let isOver = false;
    let areDone = false;
    const reading = readers.map((reader) => reader.work(() => areDone));
    const working = shoppers.map((shopper) => shopper.work(() => isOver));
    for (let kills = 0; kills < KILLS; kills += 1) {
      await setTimeout(300 + Math.random() * 500);
      const index = Math.trunc(Math.random() * INSTANCES);
      await cluster.kill(index);
      await cluster.start(index);
    }
    isOver = true;
    await Promise.all(working);

    // What instances left half done is finished by the others.
    await eventually(async () => {
      for (const { id } of coupons) {
        const { body } = await cluster.call(`/coupons/${id}`);
        assert.equal(body.pending_payout_commission, 0, 'a payout has not been found out about');
      }
    });
    areDone = true;
    await Promise.all(reading);

    const [one, other] = readers;
    assert.deepEqual(one!.seen, other!.seen);
    assert.deepEqual(
      one!.seen.map(({ id }) => id),
      one!.seen.map((_, i) => i + 1),
      'no event is missed and none comes twice',
    );
    assert.equal(
      one!.seen.filter(({ event, id }) => event === 'key.created' && id >= first).length,
      keys.made,
    );
    assert.deepEqual(await cluster.differences(), []);

    for (const [i, { id }] of orderCoupons.entries()) {
      const { body } = await cluster.call(`/coupons/${id}/stats`);
      assert.deepEqual(
        [body.orders_count, body.total_sales],
        [senders[i]!.totals.size, senders[i]!.sum],
        'every order once, as it was last sent',
      );
    }
    let paid = 0;
    for (const [i, { id }] of coupons.entries()) {
      const { body } = await cluster.call(`/coupons/${id}`);
      const pools = [body.unpaid_commission, body.pending_payout_commission, body.paid_commission];
      const cents = pools.map((pool) => Math.round(pool * 100));
      assert.equal(
        cents.reduce((sum, pool) => sum + pool, 0),
        takers[i]!.earned,
      );
      paid += cents[2]!;
    }
    const payments = stripe.payments.slice(paidBefore);
    assert.equal(
      payments.reduce((sum, { amount }) => sum + Number(amount), 0),
      paid,
    );
    assert.equal(new Set(payments.map(({ key }) => key)).size, payments.length);

    const last = one!.seen.length;
    await eventually(async () => {
      const came = new Set(receiver.ids);
      const missing = one!.seen.filter(({ id }) => id >= first && !came.has(id));
      if (missing.length === 0) return;
      assert.fail(`missing ${JSON.stringify(await cluster.deliveriesOf(hook.id, missing))}`);
    });
    await eventually(async () => {
      const path = `${STORE}/webhooks/${hook.id}/deliveries?state=delivered&per_page=1`;
      const { headers } = await cluster.call(path);
      assert.equal(Number(headers['x-svc-total']), last - first + 1, 'one delivery an event');
    });
    const again = receiver.ids.length - new Set(receiver.ids).size;
    t.diagnostic(
      `${KILLS} kills; ${senders.reduce((n, { totals }) => n + totals.size, 0)} orders, ` +
        `${payments.length} payments, ${keys.made} keys, ${last} events; ${again} deliveries came again`,
    );
    assert.ok(payments.length > COUPONS && keys.made > COUPONS);
    await cluster.stop();
  });
}
