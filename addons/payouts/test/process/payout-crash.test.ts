import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openFakePayPal } from '../../../../test/gateways/fake-paypal.ts';
import type { FakePayment, FakeServer, Moment } from '../../../../test/gateways/fake-server.ts';
import { openFakeStripe } from '../../../../test/gateways/fake-stripe.ts';
import { openFakeWise } from '../../../../test/gateways/fake-wise.ts';
import { testServer } from '../../../../test/postgres/databases.ts';
import {
  changeDatabase,
  rowsIn,
  untilNobodyIsConnected,
} from '../../../../test/process/look-inside.ts';
import { install, runHere } from '../../../../test/process/run.ts';
import { startServer, type Server } from '../../../../test/process/running-server.ts';
import { eventually } from '../../../../test/support/eventually.ts';

const STORE = '~/svc/store/v1';
/** Payouts requested together: the kill meets each at another step. */
const AT_ONCE = 6;
const DELAY_MAX_MS = 20;

interface Case {
  method: string;
  fake: FakeServer & { readonly payments: FakePayment[] };
  details: object;
  env: Record<string, string>;
  settings?: Record<string, string>;
  /** The first status of a successful payment. */
  settled: 'paid' | 'created';
  moments: Moment[];
}

const stripe = await openFakeStripe();
const paypal = await openFakePayPal();
const wise = await openFakeWise();

const cases: Case[] = [
  {
    method: 'stripe',
    fake: stripe,
    details: { account: 'acct_1NXcrashTest0001' },
    env: { TRIBUTARY_STRIPE_URL: stripe.url, TRIBUTARY_STRIPE_KEY: stripe.key },
    settled: 'paid',
    moments: ['arrived', 'recorded', 'answered', 'answered'],
  },
  {
    method: 'paypal',
    fake: paypal,
    details: { email: 'someone@test.example' },
    env: {
      TRIBUTARY_PAYPAL_URL: paypal.url,
      TRIBUTARY_PAYPAL_CLIENT_ID: paypal.clientId,
      TRIBUTARY_PAYPAL_SECRET: paypal.secret,
    },
    settled: 'created',
    moments: ['recorded', 'answered', 'arrived'],
  },
  {
    method: 'wise',
    fake: wise,
    details: { target_account: 4455667788 },
    env: { TRIBUTARY_WISE_URL: wise.url, TRIBUTARY_WISE_TOKEN: wise.token },
    settings: { 'payouts.wise_profile': wise.profile },
    settled: 'created',
    moments: ['arrived', 'answered', 'recorded'],
  },
];

after(() => Promise.all(cases.map(({ fake }) => fake.close())));

// Concurrent, because the tests mostly wait.
describe('kill -9 around the call of a gateway', { concurrency: true }, () => {
  for (const { method, fake, details, env, settings, settled, moments } of cases) {
    test(`${method}: every payout is paid exactly once, and its outcome is recorded`, async () => {
      const { data, key } = await install({
        'api.rate_per_minute': 1_000_000,
        'payouts.auto_accept': true,
        'payouts.details_hold_hours': 0,
        'payouts.auto_accept_max': 100_000,
        ...settings,
      });
      let server = await startServer(data, [], { env });
      const coupons = await makeCoupons(server, key, method, details);
      const amounts = new Map<number, number>();

      // Two rounds on PostgreSQL, where each takes long.
      const rounds = testServer() === undefined ? moments : moments.slice(0, 2);
      for (const [round, moment] of rounds.entries()) {
        const before = { payments: fake.payments.length, payouts: (await payoutsIn(data)).length };
        for (const coupon of coupons) {
          amounts.set(coupon, 10 + round + coupon / 100);
          await post(server, key, `${STORE}/coupons/${coupon}/adjustments`, {
            amount: amounts.get(coupon),
            note: 'Test',
          });
        }
        const delayMs = moment === 'answered' ? Math.random() * DELAY_MAX_MS : 0;
        const context = `round ${round}, ${moment}, ${delayMs} ms`;
        const killed = server;
        fake.interrupt(moment, async () => {
          if (delayMs >= 1) await setTimeout(delayMs);
          killed.child.kill('SIGKILL');
          // The gateway responds after the kill, so the response reaches no process.
          if (moment !== 'answered') await killed.stop('SIGKILL');
        });
        const answers = await Promise.allSettled(
          coupons.map((coupon_id) =>
            killed.call('/payouts', { method: 'POST', key, json: { coupon_id } }),
          ),
        );
        assert.equal((await killed.stop('SIGKILL')).signal, 'SIGKILL');

        await untilNobodyIsConnected(data);
        const left = (await payoutsIn(data)).slice(before.payouts);
        assert.ok(left.length > 0, context);
        const paid = fake.payments.slice(before.payments);
        assert.ok(paid.length <= left.length, `${context}: paid before it was stored`);
        for (const answer of answers) {
          if (answer.status === 'rejected') continue;
          const { status, body } = answer.value;
          assert.equal(status, 201, `${context}: ${answer.value.text}`);
          const stored = left.find(({ id }) => id === body.id);
          assert.equal(stored?.status, body.status, `${context}: what was acknowledged is there`);
        }
        if (moment === 'arrived') {
          assert.ok(
            left.some(({ status }) => status === 'processing'),
            context,
          );
        }
        await askAtOnce(data);
        server = await startServer(data, [], { env });
        await eventually(async () => {
          const waiting = (await payoutsIn(data)).filter(({ status }) => status === 'processing');
          assert.deepEqual(waiting, [], context);
        });

        const payments = fake.payments.slice(before.payments);
        const payouts = (await payoutsIn(data)).slice(before.payouts);
        assert.deepEqual(
          payouts.map(({ transaction_id }) => transaction_id).sort(),
          payments.map(({ id }) => id).sort(),
          `${context}: one payment for each payout`,
        );
        for (const { status, coupon_id, amount } of payouts) {
          assert.equal(status, settled, context);
          assert.equal(amount, Math.round(amounts.get(coupon_id)! * 100), context);
        }
        await requestTheRest(server, key, coupons, payouts);
        await assertPools(server, key, coupons, data);
        // Completes open payouts, so that the next round can request again.
        for (const { id, status } of await payoutsIn(data)) {
          if (status !== 'created') continue;
          await post(server, key, `/payouts/${id}/status`, { status: 'paid' }, 200);
        }
        const verified = await server.call(`${STORE}/ledger/verify`, { key });
        assert.equal(verified.body.ok, true, `${context}: ${verified.text}`);
      }
      assert.equal(fake.payments.length, (await payoutsIn(data)).length);
      assert.equal(new Set(fake.payments.map(({ key: used }) => used)).size, fake.payments.length);
      const verified = await runHere(['verify', '--data', data]);
      assert.equal(verified.code, 0, `${verified.stdout}${verified.stderr}`);
      await server.stop();
    });
  }
});

async function makeCoupons(server: Server, key: string, method_type: string, details: object) {
  const affiliate = { login: 'maya', email: 'maya@test.example' };
  const { id } = await post(server, key, `${STORE}/affiliates`, affiliate);
  const coupons: number[] = [];
  for (let made = 0; made < AT_ONCE; made += 1) {
    const coupon = { code: `CRASH${made}`, user_id: id };
    coupons.push((await post(server, key, `${STORE}/coupons`, coupon)).id);
  }
  const saved = await server.call(`${STORE}/affiliates/${id}/payout-details`, {
    method: 'PUT',
    key,
    json: { method_type, details },
  });
  assert.equal(saved.status, 200, saved.text);
  return coupons;
}

async function post(server: Server, key: string, path: string, json: object, status = 201) {
  const reply = await server.call(path, { method: 'POST', key, json });
  assert.equal(reply.status, status, `${path}: ${reply.text}`);
  return reply.body;
}

/** Requests payouts again that were never stored, as their affiliates would. */
async function requestTheRest(
  server: Server,
  key: string,
  coupons: number[],
  payouts: { coupon_id: number }[],
): Promise<void> {
  for (const coupon_id of coupons) {
    const isNew = payouts.every((payout) => payout.coupon_id !== coupon_id);
    if (isNew) await post(server, key, '/payouts', { coupon_id });
  }
}

async function assertPools(
  server: Server,
  key: string,
  coupons: number[],
  data: string,
): Promise<void> {
  const payouts = await payoutsIn(data);
  for (const id of coupons) {
    const sumOf = (status: string) =>
      payouts
        .filter((payout) => payout.coupon_id === id && payout.status === status)
        .reduce((sum, { amount }) => sum + amount, 0) / 100;
    const { body } = await server.call(`/coupons/${id}`, { key });
    assert.deepEqual(
      [body.unpaid_commission, body.pending_payout_commission, body.paid_commission],
      [0, sumOf('created'), sumOf('paid')],
    );
  }
}

interface Stored {
  id: number;
  coupon_id: number;
  amount: number;
  status: string;
  transaction_id: string;
}

async function payoutsIn(data: string): Promise<Stored[]> {
  const rows = await rowsIn(
    data,
    'select id, coupon_id, amount, status, transaction_id from payouts order by id',
  );
  // The statement selects the columns of `Stored`.
  return rows as unknown as Stored[];
}

/**
 * Makes open payouts due now. The service polls the gateway half a minute after a request at the
 * earliest, or a minute after the calling process died; on PostgreSQL a dead instance also holds
 * the job's lease for half a minute.
 */
function askAtOnce(data: string): Promise<void> {
  return changeDatabase(
    data,
    "update payouts set ask_at = 0, leased_until = 0 where status = 'processing'",
    'update leases set until = 0',
  );
}
