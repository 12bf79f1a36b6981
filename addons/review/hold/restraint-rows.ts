import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { readCount, readPage } from '../../../src/db/lists/paged-list.ts';
import { readAll, readByNumbers, write } from '../../../src/db/statements/calls.ts';
import { listIn, removeFrom } from '../../../src/db/statements/plain-calls.ts';
import { insertRows, jsonList } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { UNTIL_DECIDED } from '../../../src/modules/orders/index.ts';
import type { SubjectType } from '../tables.ts';

export type RestrainedReferral = RowOf<'review_referrals'>;
export type HoldRow = RowOf<'review_holds'>;

export const findRestrained = listIn('review_referrals', 'order_id');

/** The orders on a coupon that are in review. */
export const listHeldOn = readAll<{ coupon_id: number }, { order_id: number }>((db, p) =>
  db
    .selectFrom('review_referrals')
    .select('order_id')
    .where('coupon_id', '=', p.coupon_id)
    .where('restraint', '=', sql.lit('held')),
);

/** What referrals without a restraint have earned. */
export const findEarned = readByNumbers<
  Pick<RestrainedReferral, 'order_id' | 'coupon_id' | 'state' | 'commission'>
>((db, isKey) =>
  db
    .selectFrom('referrals')
    .select(['order_id', 'coupon_id', 'state', 'commission'])
    .where(isKey('order_id')),
);

export const upsertRestrained = insertRows<RestrainedReferral>('review_referrals', {
  on: ['order_id', 'coupon_id'],
  keep: ['order_id', 'coupon_id'],
});

export const deleteRestrained = removeFrom('review_referrals', 'order_id', 'coupon_id');

/** What a case holds, once each. */
export const insertHolds = insertRows<HoldRow>('review_holds', {
  on: ['case_id', 'order_id', 'coupon_id'],
});

export const listHoldsOf = readAll<{ case_id: number }, HoldRow>((db, p) =>
  db
    .selectFrom('review_holds')
    .selectAll()
    .where('case_id', '=', p.case_id)
    .orderBy('order_id')
    .orderBy('coupon_id'),
);

export const countHolds = readCount((db, p: { case_id: number }) =>
  db.selectFrom('review_holds').where('case_id', '=', p.case_id),
);

export const pageOfHolds = readPage<{ case_id: number }, HoldRow>((db, p) =>
  db
    .selectFrom('review_holds')
    .selectAll()
    .where('case_id', '=', p.case_id)
    .orderBy('order_id')
    .orderBy('coupon_id'),
);

/** Which restraints the cases of some orders ask. */
export const listAsked = readByNumbers<HoldRow & { state: string }>((db, isKey) =>
  db
    .selectFrom('review_holds')
    .innerJoin('review_cases', 'review_cases.id', 'review_holds.case_id')
    .select([
      'review_holds.case_id',
      'review_holds.order_id',
      'review_holds.coupon_id',
      'review_cases.state',
    ])
    .where(isKey('review_holds.order_id'))
    .where('review_cases.state', '<>', sql.lit('cleared')),
);

const sumHeld = write<{ order_ids: string }>((db, p, _given, dialect) =>
  db
    .updateTable('review_cases')
    .set({
      held: sql<number>`(
        select coalesce(sum(referrals.awaiting), 0)
        from review_holds
        join referrals on referrals.order_id = review_holds.order_id
          and referrals.coupon_id = review_holds.coupon_id
        where review_holds.case_id = review_cases.id
          and referrals.release_at = ${sql.lit(UNTIL_DECIDED)})`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('review_holds')
        .select('case_id')
        .where(dialect.inJsonArray('order_id', p.order_ids, 'number')),
    ),
);

/** Sums up what the cases of these orders hold now. */
export async function updateHeld(tx: Transaction, orderIds: ReadonlySet<number>): Promise<void> {
  if (orderIds.size > 0) await sumHeld(tx, { order_ids: jsonList([...orderIds]) });
}

export const insertPayoutMarks = insertRows<RowOf<'review_payouts'>>('review_payouts', {
  on: ['payout_id', 'case_id'],
});

/** A payout that has given its money back holds nothing that a case waits for. */
export const deletePayoutMarks = removeFrom('review_payouts', 'payout_id');

/** The payouts that took money which a case holds, or has taken back. */
type MarkedPayout = RowOf<'review_payouts'> & { subject_type: SubjectType };

export const findMarkedPayouts = readByNumbers<MarkedPayout>((db, isKey) =>
  db
    .selectFrom('review_payouts')
    .innerJoin('review_cases', 'review_cases.id', 'review_payouts.case_id')
    .select(['review_payouts.payout_id', 'review_payouts.case_id'])
    .select('review_cases.subject_type')
    .where(isKey('review_payouts.payout_id'))
    .where('review_cases.state', '<>', sql.lit('cleared')),
);

/** The commission on a coupon that a payout may have taken before its case was opened, or was rejected. */
export const listUndecided = readAll<
  { coupon_id: number; requested_at: number },
  HoldRow & Pick<RestrainedReferral, 'restraint'>
>((db, p) =>
  db
    .selectFrom('review_holds')
    .innerJoin('review_cases', 'review_cases.id', 'review_holds.case_id')
    .innerJoin('review_referrals', (join) =>
      join
        .onRef('review_referrals.order_id', '=', 'review_holds.order_id')
        .onRef('review_referrals.coupon_id', '=', 'review_holds.coupon_id'),
    )
    .select([
      'review_holds.case_id',
      'review_holds.order_id',
      'review_holds.coupon_id',
      'review_referrals.restraint',
    ])
    .where('review_holds.coupon_id', '=', p.coupon_id)
    .where((eb) =>
      eb.or([
        eb('review_cases.state', '=', sql.lit('open')),
        eb.and([
          eb('review_cases.state', '=', sql.lit('rejected')),
          eb('review_cases.decided_at', '>=', p.requested_at),
        ]),
      ]),
    )
    .orderBy('review_holds.case_id')
    .orderBy('review_holds.order_id'),
);
