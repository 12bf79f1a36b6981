import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testServer } from '../../../test/postgres/databases.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { anyHistory, Play, type Tally } from './payment-once/history.ts';
import {
  openPayPal,
  openStripe,
  openTill,
  openWise,
  type PaymentService,
} from './payment-once/services.ts';
import { Shop } from './payment-once/shop.ts';

/**
 * Any order of accepted, lost, refused, hidden or late answers and of crashes pays each balance at most once. The
 * histories run over HTTP against fake services that count their payments. A failure prints its seed and the shortest
 * history that reproduces it.
 */
const { TRIBUTARY_PAYMENT_HISTORIES, TRIBUTARY_MODEL_SEED } = process.env;
/** Fewer on PostgreSQL, where every statement is a round trip. */
const HISTORIES = Number(TRIBUTARY_PAYMENT_HISTORIES ?? (testServer() === undefined ? 12 : 8));
const SEED = Number(TRIBUTARY_MODEL_SEED ?? Math.trunc(Math.random() * 2 ** 31));
/** After this time no further history starts, neither to find a failure nor to shrink it. */
const MAX_MS = Number(TRIBUTARY_PAYMENT_HISTORIES === undefined ? 120_000 : Infinity);

const MINUTE_MS = 60_000;

describe('a balance that is empty and then filled: paid once, without an administrator', () => {
  for (const open of [openWise, openPayPal, openStripe, openTill]) {
    const name = open.name.replace('open', '');

    async function refuseThenFill(prepare: (fake: PaymentService['fake'], shop: Shop) => void) {
      const service = await open();
      const { fake } = service;
      const shop = await Shop.open(service);
      const follow = async () => {
        shop.clockMs += 16 * MINUTE_MS;
        await shop.followUp();
      };
      try {
        const coupon = await shop.coupon();
        await shop.earn(coupon, 5_000);
        fake.empty(true);
        prepare(fake, shop);
        await shop.request(coupon);
        // Refused once more, under the key whose first answer was lost.
        await follow();
        await follow();
        assert.equal(fake.payments.length, 0);
        fake.empty(false);
        await follow();
        await follow();
        assert.deepEqual(fake.payments.map(service.centsOf), [5_000]);
        const [payout] = await shop.payouts(coupon);
        assert.ok(['paid', 'created'].includes(payout.status), payout.status);
        await shop.assertClean();
      } finally {
        await shop.close();
        await fake.close();
      }
    }

    test(`${name}: the process dies right after the refusal`, () =>
      refuseThenFill((fake, shop) => fake.interrupt('answered', () => shop.crash())));

    test(`${name}: the first request was lost, and its repetition refused`, () =>
      refuseThenFill((fake) => fake.next('reset-before')));
  }
});

describe(`${HISTORIES} histories: each balance is paid at most once`, () => {
  for (const open of [openWise, openPayPal, openStripe, openTill]) {
    test(`by ${open.name.replace('open', '')}`, async (t) => {
      const service = await open();
      after(() => service.fake.close());
      let shop: Shop | undefined;
      let played = 0;
      const until = performance.now() + MAX_MS;
      const tally: Tally = new Map();
      try {
        await fc.assert(
          fc.asyncProperty(anyHistory, async (commands) => {
            if (performance.now() > until) return;
            played += 1;
            shop ??= await Shop.open(service);
            service.fake.behave();
            service.hide(false);
            try {
              await new Play(shop, service, tally).play(commands);
            } catch (error) {
              // Open payouts of this history must not affect the next one.
              await shop.close();
              shop = undefined;
              throw error;
            }
          }),
          { seed: SEED, numRuns: HISTORIES },
        );
      } finally {
        await shop?.close();
      }
      for (const [what, times] of [...tally].sort()) t.diagnostic(`${what}: ${times}`);
      // Lost answers and crashes leave requests without a 201, but each history ends with a payout.
      const settled = [...tally].filter(([what]) => what.startsWith('settled: '));
      const payouts = settled.reduce((sum, [, times]) => sum + times, 0);
      assert.ok(played > 0 && payouts >= played, `seed ${SEED}: ${payouts} of ${played}`);
    });
  }
});
