import { sql } from 'kysely';
import { long, query } from '../../../src/db/statements/query.ts';
import type { Difference, LedgerAudit } from '../../../src/modules/ledger/index.ts';
import { ifStored } from '../missing-tables.ts';
import { poolOf, type PayoutStatus } from './payout-status.ts';

const pools = ['pending_payout', 'paid'] as const;
type AuditedPool = (typeof pools)[number];

interface Range {
  first: number;
  last: number;
}

interface Sums extends Record<AuditedPool, number> {
  coupon_id: number;
  user_id: number | null;
  open_payouts: number;
  paid_payouts: number;
}

const sumOf = (statuses: string) =>
  sql<number>`coalesce(sum(case when payouts.status in (${sql.raw(statuses)})
    then payouts.amount else 0 end), 0)`;

/** By account: today's are in the rows of their coupons. */
const accountSums = query<Range, Sums>((db, p) => {
  const accounts = db
    .selectFrom('coupons')
    .select(['id as coupon_id', 'user_id', 'pending_payout', 'paid'])
    .where('id', '>=', p.first)
    .where('id', '<=', p.last)
    .unionAll(
      db
        .selectFrom('former_accounts')
        .select(['coupon_id', sql<number | null>`nullif(user_id, 0)`.as('user_id')])
        .select(['pending_payout', 'paid'])
        .where('coupon_id', '>=', p.first)
        .where('coupon_id', '<=', p.last),
    );
  return db
    .selectFrom(accounts.as('account'))
    .leftJoin('payouts', (join) =>
      join
        .onRef('payouts.coupon_id', '=', 'account.coupon_id')
        .onRef('payouts.user_id', '=', 'account.user_id'),
    )
    .select(['account.coupon_id', 'account.user_id', 'account.pending_payout', 'account.paid'])
    .select([
      sumOf("'pending', 'created', 'processing'").as('open_payouts'),
      sumOf("'paid'").as('paid_payouts'),
    ])
    .groupBy(['account.coupon_id', 'account.user_id', 'account.pending_payout', 'account.paid']);
}, long);

interface Payout extends Record<AuditedPool, number> {
  id: number;
  coupon_id: number;
  user_id: number;
  amount: number;
  status: PayoutStatus;
}

/** What the entries of a payout left in a pool of its account. A subquery, because grouping would read all payouts. */
const moved = (pool: AuditedPool) =>
  sql<number>`(select coalesce(sum(case ${sql.lit(pool)} when to_pool then amount
      when from_pool then -amount else 0 end), 0) from ledger
    where ledger.payout_id = payouts.id and +ledger.coupon_id = payouts.coupon_id
      and +ledger.owner_id = payouts.user_id)`;

const payoutSums = query<Range, Payout>(
  (db, p) =>
    db
      .selectFrom('payouts')
      .select(['id', 'coupon_id', 'user_id', 'amount', 'status'])
      .select(pools.map((pool) => moved(pool).as(pool)))
      .where('coupon_id', '>=', p.first)
      .where('coupon_id', '<=', p.last),
  long,
);

/**
 * The pool `pending_payout` of an account must equal the sum of its open payouts, `paid` that of the paid ones. The ledger entries of
 * each payout must have moved its amount to the pool of its status.
 */
export const auditPayouts: LedgerAudit = async (db, site, coupons) => {
  const [balances, payouts] = await ifStored(
    site,
    () => Promise.all([db.all(accountSums, coupons), db.all(payoutSums, coupons)]),
    [[], []],
  );
  const differences = [
    ...balances.flatMap((row) => [
      differenceOf(row, null, 'pending_payout', row.open_payouts),
      differenceOf(row, null, 'paid', row.paid_payouts),
    ]),
    ...payouts.flatMap((row) =>
      pools.map((pool) =>
        differenceOf(row, row.id, pool, poolOf[row.status] === pool ? row.amount : 0),
      ),
    ),
  ];
  return differences.filter(({ stored, recomputed }) => stored !== recomputed);
};

type Account = Pick<Sums, 'coupon_id' | 'user_id'> & Record<AuditedPool, number>;

function differenceOf(
  account: Account,
  payout_id: number | null,
  pool: AuditedPool,
  recomputed: number,
): Difference {
  const { coupon_id, user_id: affiliate_id } = account;
  const stored = account[pool];
  return { coupon_id, affiliate_id, payout_id, pool, stored, recomputed, from: 'payouts' };
}
