import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import { changeClicks } from './former-clicks.ts';
import { changeDays } from './former-days.ts';
import { toOwnerId } from './owner-rows.ts';

/**
 * An account is a coupon and the affiliate who earned on it. That of today's affiliate is in the row of the coupon,
 * so that an order needs no further statement; those of former affiliates are in `former_accounts`.
 */

const pools = columnGroups.balances;

const formerAccounts = (db: Kysely<Tables>) =>
  db
    .selectFrom('former_accounts')
    .innerJoin('coupons', 'coupons.id', 'former_accounts.coupon_id')
    .select(['former_accounts.coupon_id', 'former_accounts.user_id'])
    .select(['coupons.code', 'coupons.code_folded', 'coupons.owned_since'])
    .select(sql<number>`1`.as('is_former'))
    .select(pools.map((pool) => `former_accounts.${pool}` as const));

const formerOf = readAll<{ user_ids: string }, CouponAccount>((db, p, _given, dialect) =>
  formerAccounts(db)
    .where(dialect.inJsonArray('former_accounts.user_id', p.user_ids, 'number'))
    .orderBy('former_accounts.coupon_id'),
);

/** The accounts that any number of affiliates keep of coupons that are another one's now, with one statement. */
export const formerAccountsOf = (db: Reader, userIds: readonly number[]) =>
  formerOf(db, { user_ids: jsonList(userIds) });

/** An account of an affiliate, of a coupon that it has or had. */
export type CouponAccount = RowOf<'former_accounts'> &
  Pick<RowOf<'coupons'>, 'code' | 'code_folded' | 'owned_since'> & { is_former: number };

/** All accounts of an affiliate, by coupon. */
export const findAccountsOf = (db: Reader, userId: number) => allOf(db, { user_id: userId });

const allOf = readAll<{ user_id: number }, CouponAccount>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['id as coupon_id', sql<number>`user_id`.as('user_id')])
    .select(['code', 'code_folded', 'owned_since', sql<number>`0`.as('is_former'), ...pools])
    .where('user_id', '=', p.user_id)
    .unionAll(formerAccounts(db).where('former_accounts.user_id', '=', p.user_id))
    .orderBy('coupon_id'),
);

/** The next affiliates with a coupon, or with an account of a former one. */
export const listOwners = readAll<{ after: number; limit: number }, { user_id: number }>(
  (db, p) => {
    const next = (table: 'coupons' | 'former_accounts') =>
      db
        .selectFrom(table)
        .select(sql<number>`user_id`.as('user_id'))
        .where('user_id', '>', p.after)
        .groupBy('user_id')
        .orderBy('user_id')
        .limit(p.limit);
    return db
      .selectFrom(next('coupons').as('owners'))
      .select('user_id')
      .union(db.selectFrom(next('former_accounts').as('former')).select('user_id'))
      .orderBy('user_id')
      .limit(p.limit);
  },
);

interface Assignment {
  id: number;
  owner_id: number;
}

const keep = query<Assignment>((db, p) => ({
  compile: () =>
    sql`insert into former_accounts (coupon_id, user_id, ${sql.join(pools.map((pool) => sql.ref(pool)))})
      select id, ${p.owner_id}, ${sql.join(pools.map((pool) => sql.ref(pool)))} from coupons where id = ${p.id}`.compile(
      db,
    ),
}));

const take = query<Assignment>((db, p) =>
  db
    .updateTable('coupons')
    .set((eb) => ({
      figures_version: eb('figures_version', '+', 1),
      ...Object.fromEntries(
        pools.map((pool) => [
          pool,
          eb.fn.coalesce(
            eb
              .selectFrom('former_accounts')
              .select(pool)
              .where('coupon_id', '=', p.id)
              .where('user_id', '=', p.owner_id),
            sql.lit(0),
          ),
        ]),
      ),
    }))
    .where('id', '=', p.id),
);

const remove = query<Assignment>((db, p) =>
  db.deleteFrom('former_accounts').where('coupon_id', '=', p.id).where('user_id', '=', p.owner_id),
);

/** Puts the account of the next affiliate into the coupon's row, and keeps that of the former one. */
export async function changeAccount(
  tx: Transaction,
  id: number,
  former: number | null,
  next: number | null,
): Promise<void> {
  const closed = { id, owner_id: toOwnerId(former) };
  const opened = { id, owner_id: toOwnerId(next) };
  await changeDays(tx, closed, opened);
  await changeClicks(tx, closed, opened);
  await tx.run(keep, closed);
  await tx.run(take, opened);
  await tx.run(remove, opened);
}
