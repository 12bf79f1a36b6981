import type { Kysely } from 'kysely';
import { readPage } from '../../../src/db/lists/paged-list.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Tables } from '../../../src/db/tables.ts';
import { addDays } from '../../../src/kernel/call/series.ts';
import type { FirstStep, Need } from '../../../src/kernel/declare/overview.ts';
import { countUnresolved, listUnresolved } from '../api/payout-list-rows.ts';
import { ifStored } from '../missing-tables.ts';
import { sumDays } from './payout-days.ts';

function payoutNeed(name: string, title: string, read: Need['read']): Need {
  return {
    name,
    title,
    access: 'admin',
    read: (db, site, nowMs) => ifStored(site, () => read(db, site, nowMs), { count: 0 }),
  };
}

const toReview = payoutNeed('payouts_to_review', 'Payouts to review', async (db) => {
  const always = { first: '0000-00-00', last: '9999-99-99' };
  const { payouts, amount } = await sumDays(db, 'requested', { status: 'pending', ...always });
  return { count: payouts, amount };
});

/** The amount of a failed payout is back in the balance, until another payout of the coupon follows. Older ones are history. */
const FAILED_DAYS = 90;

const failedSince = (db: Kysely<Tables>, { since }: { since: string }) =>
  db
    .selectFrom('payouts as p')
    .where('p.status', '=', 'failed')
    .where('p.requested_day', '>=', since)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payouts as later')
            .select('later.id')
            .whereRef('later.coupon_id', '=', 'p.coupon_id')
            .whereRef('later.id', '>', 'p.id'),
        ),
      ),
    );

const failedLast = query<{ since: string }, { payouts: number; amount: number }>((db, p) =>
  failedSince(db, p).select((eb) => [
    eb.fn.countAll<number>().as('payouts'),
    eb.fn.coalesce(eb.fn.sum<number>('p.amount'), eb.lit(0)).as('amount'),
  ]),
);

const failedNames = readPage((db, p: { since: string }) =>
  failedSince(db, p)
    .innerJoin('users', 'users.id', 'p.user_id')
    .select(['p.id', 'users.display_name'])
    .orderBy('p.id', 'desc'),
);

/** As many as an overview names. */
const named = { limit: 3, offset: 0 };

const toItems = (rows: readonly { id: number; display_name: string }[]) =>
  rows.map(({ id, display_name: name }) => ({ id, name, reason: '' }));

const failed = payoutNeed(
  'payouts_failed',
  'Failed payouts whose amount is back in the balance',
  async (db, site, nowMs) => {
    const since = addDays(site.calendar.dayOf(nowMs), -FAILED_DAYS);
    const { payouts, amount } = (await db.first(failedLast, { since }))!;
    if (payouts === 0) return { count: 0 };
    return { count: payouts, amount, items: toItems(await failedNames(db, { since }, named)) };
  },
);

const unresolved = payoutNeed(
  'payouts_unresolved',
  'Payouts whose outcome is unknown',
  async (db) => {
    const count = await countUnresolved(db, {});
    return { count, items: count === 0 ? [] : toItems(await listUnresolved(db, {}, named)) };
  },
);

export const payoutNeeds = [toReview, failed, unresolved];

/** Two methods are on from the beginning; the team confirms them, or chooses others. */
export const firstMethod: FirstStep = {
  name: 'payout_method',
  title: 'Choose how affiliates are paid',
};
