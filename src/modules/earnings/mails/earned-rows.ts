import { sql, type Kysely } from 'kysely';
import { readAll, readFirst, write } from '../../../db/statements/calls.ts';
import { instant } from '../../../db/statements/instants.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import { only } from '../../../db/statements/row-query.ts';
import type { RowOf, Tables } from '../../../db/tables.ts';
import type { UserRow } from '../../users/index.ts';

export type EarnedRun = Omit<RowOf<'earned_mails'>, 'id'>;

const ROW = 1;
const columns = ['started_at', 'since', 'until', 'after_user'] as const;

export const findRun = readFirst<object, EarnedRun>((db) =>
  db.selectFrom('earned_mails').select(columns).where('id', '=', sql.lit(ROW)),
);

export const saveRun = write<EarnedRun>((db, p) => {
  const run = only(p, columns);
  return db
    .insertInto('earned_mails')
    .values({ id: ROW, ...run })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(run));
});

export const removeRun = write<object>((db) => db.deleteFrom('earned_mails'));

/** After the system clock was set back, no time is later than now. */
export const limitRun = write<{ now: number }>((db, p) => {
  const now = instant(p.now);
  const limited = (column: string) =>
    sql<number>`case when ${sql.ref(column)} > ${now} then ${now} else ${sql.ref(column)} end`;
  return db.updateTable('earned_mails').set({
    started_at: limited('started_at'),
    since: limited('since'),
    until: limited('until'),
  });
});

interface Range {
  /** Affiliates after this one, up to that one. */
  after: number;
  to: number;
  since: number;
  until: number;
  started_at: number;
}

/** What became payable, less what was taken back. Entries of payouts only move it on. */
const earned = sql<number>`sum(case ledger.to_pool when 'unpaid' then ledger.amount else -ledger.amount end)`;

const accountsBetween = (db: Kysely<Tables>, p: Range) =>
  db
    .selectFrom('coupons')
    .select(['id as coupon_id', sql<number>`user_id`.as('user_id')])
    .where('user_id', '>', p.after)
    .where('user_id', '<=', p.to)
    .unionAll(
      db
        .selectFrom('former_accounts')
        .select(['coupon_id', 'user_id'])
        .where('user_id', '>', p.after)
        .where('user_id', '<=', p.to),
    );

/**
 * The affiliates who earned something. Adjustments of the system are opening balances of an import. The cross joins
 * keep the order: few accounts, then their latest entries.
 */
export const listEarned = readAll<Range, { user_id: number; earned: number }>((db, p) =>
  db
    .selectFrom(accountsBetween(db, p).as('account'))
    .crossJoin('ledger')
    .leftJoin('orders', 'orders.order_id', 'ledger.order_id')
    .select(['account.user_id', earned.as('earned')])
    .whereRef('ledger.coupon_id', '=', 'account.coupon_id')
    .whereRef('ledger.owner_id', '=', 'account.user_id')
    .where('ledger.created_at', '>=', p.since)
    .where('ledger.created_at', '<', p.until)
    .where((eb) =>
      eb.or([
        eb('orders.placed_at', '>=', p.started_at),
        eb('ledger.kind', '=', 'bonus'),
        eb.and([eb('ledger.kind', '=', 'adjustment'), eb('ledger.user_id', '<>', 0)]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb('to_pool', '=', 'unpaid'), eb('from_pool', 'in', ['earned', 'awaiting'])]),
        eb.and([eb('from_pool', '=', 'unpaid'), eb('to_pool', 'in', ['earned', 'awaiting'])]),
      ]),
    )
    .groupBy('account.user_id')
    .having(sql<boolean>`${earned} > 0`),
);

type Recipient = Pick<UserRow, 'id' | 'display_name' | 'email' | 'language' | 'muted_notices'> & {
  balance: number;
};

export const recipients = byNumber<Recipient>((db, isKey) =>
  db
    .selectFrom('users')
    .select(['id', 'display_name', 'email', 'language', 'muted_notices'])
    .select(
      sql<number>`((select coalesce(sum(unpaid), 0) from coupons where user_id = users.id)
        + (select coalesce(sum(unpaid), 0) from former_accounts where user_id = users.id))`.as(
        'balance',
      ),
    )
    .where(isKey('users.id'))
    .where('disabled_at', 'is', null),
);
