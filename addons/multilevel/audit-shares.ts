import { sql } from 'kysely';
import { readAll } from '../../src/db/statements/calls.ts';
import { long } from '../../src/db/statements/query.ts';
import type { LedgerAudit } from '../../src/modules/ledger/index.ts';

const pools = { awaiting: 'awaiting', unpaid: 'granted' } as const;
type Pool = keyof typeof pools;

interface Sums extends Record<Pool | 'right_awaiting' | 'right_unpaid', number> {
  coupon_id: number;
  affiliate_id: number;
}

const right = (pool: Pool) =>
  sql<number>`case when referrals.state = ${sql.lit(pools[pool])} then mla_shares.amount else 0 end`;

const stored = (pool: Pool) => sql<number>`mla_shares.${sql.ref(pools[pool])}`;

const wrongShares = readAll<{ first: number; last: number }, Sums>(
  (db, p) =>
    db
      .selectFrom('mla_shares')
      .leftJoin('referrals', (join) =>
        join
          .onRef('referrals.order_id', '=', 'mla_shares.order_id')
          .onRef('referrals.coupon_id', '=', 'mla_shares.coupon_id'),
      )
      .select([
        'mla_shares.upline_coupon_id as coupon_id',
        'mla_shares.upline_id as affiliate_id',
        sql<number>`sum(${stored('awaiting')})`.as('awaiting'),
        sql<number>`sum(${stored('unpaid')})`.as('unpaid'),
        sql<number>`sum(${right('awaiting')})`.as('right_awaiting'),
        sql<number>`sum(${right('unpaid')})`.as('right_unpaid'),
      ])
      .where('mla_shares.upline_coupon_id', '>=', p.first)
      .where('mla_shares.upline_coupon_id', '<=', p.last)
      .where(
        sql<boolean>`(${stored('awaiting')} <> ${right('awaiting')} or ${stored('unpaid')} <> ${right('unpaid')})`,
      )
      .groupBy(['mla_shares.upline_coupon_id', 'mla_shares.upline_id']),
  long,
);

/** A share must be awaiting, granted or void as its referral is. The sums are those of the shares that are not. */
export const auditShares: LedgerAudit = async (db, _site, coupons) =>
  (await wrongShares(db, coupons)).flatMap(({ coupon_id, affiliate_id, ...sums }) =>
    (['awaiting', 'unpaid'] as const).map((pool) => ({
      coupon_id,
      affiliate_id,
      payout_id: null,
      pool,
      stored: sums[pool],
      recomputed: sums[`right_${pool}`],
      from: 'shares',
    })),
  );
