import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { insertOne, readAll, write } from '../../db/statements/calls.ts';

interface Part {
  case_id: number;
  /** An affiliate whose commission the case holds, and whom it did not name. */
  user_id: number;
}

const ofOthers = readAll<object, Part>((db) =>
  db
    .selectFrom('review_holds')
    .innerJoin('review_cases', 'review_cases.id', 'review_holds.case_id')
    .innerJoin('referrals', (join) =>
      join
        .onRef('referrals.order_id', '=', 'review_holds.order_id')
        .onRef('referrals.coupon_id', '=', 'review_holds.coupon_id'),
    )
    .select(['review_holds.case_id', 'referrals.user_id'])
    .distinct()
    .where('review_cases.subject_type', '=', sql.lit('order'))
    .whereRef('referrals.user_id', '<>', sql.ref('review_cases.user_id'))
    .orderBy('review_holds.case_id')
    .orderBy('referrals.user_id'),
);

/** Without the answer, which the other affiliate wrote. */
const copied = [
  'state',
  'rule',
  'subject_type',
  'subject_id',
  'evidence',
  'opened_at',
  'decided_at',
  'decided_by',
  'note',
  'tell',
  'reminded_at',
] as const;

const insertCopy = insertOne<Part, { id: number }>((db, p) =>
  db
    .insertInto('review_cases')
    .columns([...copied, 'user_id', 'held', 'suspended', 'holds_new'])
    .expression((eb) =>
      eb
        .selectFrom('review_cases')
        .select(copied)
        .select([
          sql<number>`cast(${p.user_id} as bigint)`.as('user_id'),
          sql.lit(0).as('held'),
          sql.lit(0).as('suspended'),
          sql.lit(0).as('holds_new'),
        ])
        .where('id', '=', p.case_id),
    )
    .returning('id'),
);

type Split = Part & { id: number };

const copyHistory = write<Split>((db, p) =>
  db
    .insertInto('review_history')
    .columns(['case_id', 'at', 'actor_id', 'action', 'note'])
    .expression((eb) =>
      eb
        .selectFrom('review_history')
        .select(sql<number>`cast(${p.id} as bigint)`.as('case_id'))
        .select(['at', 'actor_id', 'action', 'note'])
        .where('case_id', '=', p.case_id)
        .where('action', '<>', sql.lit('answered'))
        .orderBy('id'),
    ),
);

const moveHolds = write<Split>((db, p) =>
  db
    .updateTable('review_holds')
    .set({ case_id: p.id })
    .where('case_id', '=', p.case_id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('referrals')
          .select(sql.lit(1).as('one'))
          .whereRef('referrals.order_id', '=', 'review_holds.order_id')
          .whereRef('referrals.coupon_id', '=', 'review_holds.coupon_id')
          .where('referrals.user_id', '=', p.user_id),
      ),
    ),
);

/** Whether a payout was made from a coupon on which the case holds commission. */
const isFrom = (caseId: number) =>
  sql<boolean>`exists (select 1 from ledger
    join review_holds on review_holds.coupon_id = ledger.coupon_id and review_holds.case_id = ${caseId}
    where ledger.payout_id = review_payouts.payout_id)`;

/** The payouts of the affiliate wait for the new case, those of levels above for both. */
const copyMarks = write<Split>((db, p) =>
  db
    .insertInto('review_payouts')
    .columns(['case_id', 'payout_id'])
    .expression((eb) =>
      eb
        .selectFrom('review_payouts')
        .select(sql<number>`cast(${p.id} as bigint)`.as('case_id'))
        .select('payout_id')
        .where('case_id', '=', p.case_id)
        .where((inner) => inner.not(isFrom(p.case_id))),
    ),
);

const removeMarks = write<Split>((db, p) =>
  db.deleteFrom('review_payouts').where('case_id', '=', p.case_id).where(isFrom(p.id)),
);

const sumHeld = write<Split>((db, p) =>
  db
    .updateTable('review_cases')
    .set({
      // The last instant that a date can have: until the case is decided.
      held: sql<number>`(select coalesce(sum(referrals.awaiting), 0) from review_holds
        join referrals on referrals.order_id = review_holds.order_id
          and referrals.coupon_id = review_holds.coupon_id
        where review_holds.case_id = review_cases.id and referrals.release_at = 8640000000000000)`,
    })
    .where((eb) => eb.or([eb('id', '=', p.id), eb('id', '=', p.case_id)])),
);

/** A case about an order that holds the commission of several affiliates becomes one for each of them. */
export async function splitCases(tx: Transaction): Promise<void> {
  for (const part of await ofOthers(tx)) {
    const split = { ...part, ...(await insertCopy(tx, part)) };
    await copyHistory(tx, split);
    await moveHolds(tx, split);
    await copyMarks(tx, split);
    await removeMarks(tx, split);
    await sumHeld(tx, split);
  }
}
