import { sql } from 'kysely';
import { readAll } from '../../db/statements/calls.ts';
import type { LedgerAudit } from '../ledger/index.ts';
import { bonusesVersion } from './settings.ts';
import type { PaymentState } from './tables.ts';

/** Where the ledger has a payment in a state; what was taken back is in neither. */
const pools = { awaiting: 'held', unpaid: 'granted' } as const satisfies Record<
  string,
  PaymentState
>;
type Pool = keyof typeof pools;

/** What the entries of bonuses left in a pool of a coupon. */
const entered = (pool: Pool) =>
  sql<number>`(select coalesce(sum(case ${sql.lit(pool)} when to_pool then amount
      when from_pool then -amount else 0 end), 0) from ledger
    where ledger.coupon_id = coupons.id and ledger.kind = 'bonus')`;

const paid = (state: PaymentState) =>
  sql<number>`(select coalesce(sum(amount), 0) from bonus_payments
    where bonus_payments.coupon_id = coupons.id and bonus_payments.state = ${sql.lit(state)})`;

type Sums = { id: number } & Record<Pool | (typeof pools)[Pool], number>;

const sums = readAll<{ first: number; last: number }, Sums>((db, p) =>
  db
    .selectFrom('coupons')
    .select([
      'id',
      entered('awaiting').as('awaiting'),
      entered('unpaid').as('unpaid'),
      paid('held').as('held'),
      paid('granted').as('granted'),
    ])
    .where('id', '>=', p.first)
    .where('id', '<=', p.last),
);

/** What the ledger has for bonuses on each coupon must be the payments: held ones awaiting, granted ones unpaid. */
export const auditBonuses: LedgerAudit = async (db, site, coupons) => {
  if (site.settings.get(bonusesVersion) === 0) return [];
  const rows = await sums(db, coupons);
  return rows.flatMap((row) =>
    (['awaiting', 'unpaid'] as const)
      .filter((pool) => row[pool] !== row[pools[pool]])
      .map((pool) => ({
        coupon_id: row.id,
        payout_id: null,
        pool,
        stored: row[pool],
        recomputed: row[pools[pool]],
        from: 'bonuses',
      })),
  );
};
