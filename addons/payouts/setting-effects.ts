import { sql } from 'kysely';
import { readCount } from '../../src/db/lists/paged-list.ts';
import { defineEffect } from '../../src/kernel/declare/setting-effect.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { countWithUnpaid, refreshForRead } from '../../src/modules/affiliates/index.ts';
import { countOf } from '../../src/shared/count-of.ts';
import { fractionOf, roundedTimes } from '../../src/shared/money.ts';
import {
  autoAccept,
  detailsHoldHours,
  detailsRequired,
  enabledMethods,
  payoutsEnabled,
  requestsEnabled,
  threshold,
} from './settings.ts';

const openPayouts = readCount((db) =>
  db
    .selectFrom('payouts')
    // Literals, because the planner uses the partial index `payouts_open` only then.
    .where(sql<boolean>`status in ('pending', 'created', 'processing')`),
);

const withMethod = readCount((db, p: { method: string }) =>
  db.selectFrom('payout_details').where('method_type', '=', p.method),
);

const toMinor = ({ currency }: Site, major: number) =>
  roundedTimes(10 ** currency.decimals, fractionOf(major));

/** An affiliate without any balance is not affected, and one with several coupons by the one with most on it. */
const thresholdEffect = defineEffect(threshold, async ({ db, site, before, after }) => {
  const [from, below] = [before, after].map((amount) => Math.max(1, toMinor(site, amount)));
  const isHigher = after > before;
  const range = isHigher ? { from: from!, below: below! } : { from: below!, below: from! };
  await refreshForRead(db, site);
  const count = await countWithUnpaid(db, range);
  const fall = count === 1 ? 'falls below' : 'fall below';
  const reach = count === 1 ? 'reaches' : 'reach';
  return {
    count,
    text: `${countOf(count, 'affiliate')} ${isHigher ? fall : reach} the new minimum. Payouts that were requested stay.`,
  };
});

const enabledEffect = defineEffect(payoutsEnabled, async ({ db, after }) => {
  if (after) return { text: 'Payouts can be requested again.' };
  const count = await openPayouts(db, {});
  return {
    count,
    text: `No payout can be requested. ${countOf(count, 'open payout')} can still be paid.`,
  };
});

const requestsEffect = defineEffect(requestsEnabled, ({ after }) => ({
  text: after
    ? 'Affiliates can request payouts in the portal.'
    : 'Affiliates cannot request payouts; the team can, for them.',
}));

const methodsEffect = defineEffect(enabledMethods, async ({ db, before, after }) => {
  const removed = before.filter((method) => !after.includes(method));
  const counts = await Promise.all(removed.map((method) => withMethod(db, { method })));
  const count = counts.reduce((sum, n) => sum + n, 0);
  if (removed.length === 0) return { text: 'Affiliates can choose the new methods immediately.' };
  return {
    count,
    text: `${countOf(count, 'affiliate')} chose ${removed.join(' or ')} and cannot be paid until they choose another method.`,
  };
});

const acceptEffect = defineEffect(autoAccept, async ({ db, after }) => {
  if (!after) return { text: 'Each new payout waits for a review.' };
  const count = await openPayouts(db, {});
  return {
    count,
    text: `New payouts by a gateway are paid without a review. ${countOf(count, 'open payout')} must still be approved.`,
  };
});

const detailsEffect = defineEffect(detailsRequired, ({ after }) => ({
  text: after
    ? 'Affiliates without payout details cannot request a payout.'
    : 'Payouts can be requested without payout details; you must know where to pay to.',
}));

const holdEffect = defineEffect(detailsHoldHours, ({ after }) => ({
  text:
    after === 0
      ? 'Changed payout details are used immediately, without a review.'
      : `Payouts need a review for ${countOf(after, 'hour')} after payout details change.`,
}));

export const payoutEffects = [
  thresholdEffect,
  enabledEffect,
  requestsEffect,
  methodsEffect,
  acceptEffect,
  detailsEffect,
  holdEffect,
];
