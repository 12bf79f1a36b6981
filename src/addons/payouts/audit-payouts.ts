import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import { ifStored } from './missing-tables.ts';
import type { Difference, LedgerAudit } from '../../modules/ledger/index.ts';

interface Sums {
  id: number;
  pending_payout: number;
  paid: number;
  open_payouts: number;
  paid_payouts: number;
}

const sumOf = (statuses: string) =>
  sql<number>`coalesce(sum(case when payouts.status in (${sql.raw(statuses)})
    then payouts.amount else 0 end), 0)`;

const differing = query<{ first: number; last: number }, Sums>((db, p) =>
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

/** The pool `pending_payout` must equal the sum of the open payouts, `paid` that of the paid ones. */
export const auditPayouts: LedgerAudit = async (db, site, coupons) => {
  const rows = await ifStored(site, () => db.all(differing, coupons), []);
  return rows.flatMap((row): Difference[] =>
    (
      [
        ['pending_payout', row.open_payouts],
        ['paid', row.paid_payouts],
      ] as const
    )
      .filter(([pool, recomputed]) => row[pool] !== recomputed)
      .map(([pool, recomputed]) => ({
        coupon_id: row.id,
        pool,
        stored: row[pool],
        recomputed,
        from: 'payouts',
      })),
  );
};
