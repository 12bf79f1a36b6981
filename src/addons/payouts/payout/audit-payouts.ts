import { sql } from 'kysely';
import { query } from '../../../db/statements/query.ts';
import { ifStored } from '../missing-tables.ts';
import type { Difference, LedgerAudit } from '../../../modules/ledger/index.ts';
import { poolOf, type PayoutStatus } from './payout-status.ts';

const pools = ['pending_payout', 'paid'] as const;
type AuditedPool = (typeof pools)[number];

interface Range {
  first: number;
  last: number;
}

interface Sums extends Record<AuditedPool, number> {
  id: number;
  open_payouts: number;
  paid_payouts: number;
}

const sumOf = (statuses: string) =>
  sql<number>`coalesce(sum(case when payouts.status in (${sql.raw(statuses)})
    then payouts.amount else 0 end), 0)`;

const couponSums = query<Range, Sums>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('payouts', 'payouts.coupon_id', 'coupons.id')
    .select(['coupons.id', 'coupons.pending_payout', 'coupons.paid'])
    .select([
      sumOf("'pending', 'created', 'processing'").as('open_payouts'),
      sumOf("'paid'").as('paid_payouts'),
    ])
    .where('coupons.id', '>=', p.first)
    .where('coupons.id', '<=', p.last)
    .groupBy(['coupons.id', 'coupons.pending_payout', 'coupons.paid']),
);

interface Payout extends Record<AuditedPool, number> {
  id: number;
  coupon_id: number;
  amount: number;
  status: PayoutStatus;
}

/** What the entries of a payout left in a pool of its coupon. A subquery, because grouping would read all payouts. */
const moved = (pool: AuditedPool) =>
  sql<number>`(select coalesce(sum(case ${sql.lit(pool)} when to_pool then amount
      when from_pool then -amount else 0 end), 0) from ledger
    where ledger.payout_id = payouts.id and +ledger.coupon_id = payouts.coupon_id)`;

const payoutSums = query<Range, Payout>((db, p) =>
  db
    .selectFrom('payouts')
    .select(['id', 'coupon_id', 'amount', 'status'])
    .select(pools.map((pool) => moved(pool).as(pool)))
    .where('coupon_id', '>=', p.first)
    .where('coupon_id', '<=', p.last),
);

/**
 * The pool `pending_payout` must equal the sum of the open payouts, `paid` that of the paid ones. The ledger entries of
 * each payout must have moved its amount to the pool of its status.
 */
export const auditPayouts: LedgerAudit = async (db, site, coupons) => {
  const [balances, payouts] = await ifStored(
    site,
    () => Promise.all([db.all(couponSums, coupons), db.all(payoutSums, coupons)]),
    [[], []],
  );
  const differences = [
    ...balances.flatMap((row) => [
      differenceOf(row.id, null, 'pending_payout', row, row.open_payouts),
      differenceOf(row.id, null, 'paid', row, row.paid_payouts),
    ]),
    ...payouts.flatMap((row) =>
      pools.map((pool) =>
        differenceOf(
          row.coupon_id,
          row.id,
          pool,
          row,
          poolOf[row.status] === pool ? row.amount : 0,
        ),
      ),
    ),
  ];
  return differences.filter(({ stored, recomputed }) => stored !== recomputed);
};

function differenceOf(
  coupon_id: number,
  payout_id: number | null,
  pool: AuditedPool,
  sums: Record<AuditedPool, number>,
  recomputed: number,
): Difference {
  return { coupon_id, payout_id, pool, stored: sums[pool], recomputed, from: 'payouts' };
}
