import { sql } from 'kysely';
import { readAll } from '../../db/statements/calls.ts';
import { long } from '../../db/statements/query.ts';
import { fromOwnerId } from '../coupons/index.ts';
import type { LedgerAudit } from '../ledger/index.ts';
import { bonusList } from './bonus-list.ts';
import type { PaymentState } from './tables.ts';

/** Where the ledger has a payment in a state; what was taken back is in neither. */
const pools = { awaiting: 'held', unpaid: 'granted' } as const satisfies Record<
  string,
  PaymentState
>;
type Pool = keyof typeof pools;

/** What the entries of bonuses left in a pool of an account. */
const entered = (pool: Pool) =>
  sql<number>`(select coalesce(sum(case ${sql.lit(pool)} when to_pool then amount
      when from_pool then -amount else 0 end), 0) from ledger
    where ledger.coupon_id = account.coupon_id and ledger.kind = 'bonus'
      and ledger.owner_id = account.owner_id)`;

const paid = (state: PaymentState) =>
  sql<number>`(select coalesce(sum(amount), 0) from bonus_payments
    where bonus_payments.coupon_id = account.coupon_id
      and bonus_payments.user_id = account.owner_id and bonus_payments.state = ${sql.lit(state)})`;

type Sums = { coupon_id: number; owner_id: number } & Record<Pool | (typeof pools)[Pool], number>;

const sums = readAll<{ first: number; last: number }, Sums>((db, p) => {
  const accounts = db
    .selectFrom('coupons')
    .select(['id as coupon_id', sql<number>`coalesce(user_id, 0)`.as('owner_id')])
    .where('id', '>=', p.first)
    .where('id', '<=', p.last)
    .unionAll(
      db
        .selectFrom('former_accounts')
        .select(['coupon_id', 'user_id as owner_id'])
        .where('coupon_id', '>=', p.first)
        .where('coupon_id', '<=', p.last),
    );
  return db
    .selectFrom(accounts.as('account'))
    .select([
      'coupon_id',
      'owner_id',
      entered('awaiting').as('awaiting'),
      entered('unpaid').as('unpaid'),
      paid('held').as('held'),
      paid('granted').as('granted'),
    ]);
}, long);

/** What the ledger has for bonuses on each account must be the payments: held ones awaiting, granted ones unpaid. */
export const auditBonuses: LedgerAudit = async (db, site, coupons) => {
  if (site.settings.get(bonusList.version) === 0) return [];
  const rows = await sums(db, coupons);
  return rows.flatMap((row) =>
    (['awaiting', 'unpaid'] as const)
      .filter((pool) => row[pool] !== row[pools[pool]])
      .map((pool) => ({
        coupon_id: row.coupon_id,
        affiliate_id: fromOwnerId(row.owner_id),
        payout_id: null,
        pool,
        stored: row[pool],
        recomputed: row[pools[pool]],
        from: 'bonuses',
      })),
  );
};
