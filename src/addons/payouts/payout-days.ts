import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { Site } from '../../kernel/site.ts';
import { totalsOf } from '../../kernel/total-cache.ts';
import type { PayoutRow } from './payout-store.ts';

type Basis = 'requested' | 'paid';

const add = query<{ basis: string; day: string; status: string; payouts: number; amount: number }>(
  (db, p) =>
    db
      .insertInto('payout_days')
      .values({
        basis: p.basis,
        day: p.day,
        status: p.status,
        payouts: p.payouts,
        amount: p.amount,
      })
      .onConflict((conflict) =>
        conflict.columns(['basis', 'day', 'status']).doUpdateSet({
          payouts: sql`payout_days.payouts + ${p.payouts}`,
          amount: sql`payout_days.amount + ${p.amount}`,
        }),
      ),
);

type Counted = Pick<PayoutRow, 'status' | 'amount' | 'requested_day' | 'paid_day'>;

/** Keeps the daily sums: totals of lists and reports come from them, whatever the number of payouts. */
export async function moveDays(
  tx: Transaction,
  site: Site,
  before: Counted | undefined,
  after: Counted,
): Promise<void> {
  tx.afterCommitEverywhere(() => totalsOf(site).forget());
  const changes = [...(before ? sumsOf(before, -1) : []), ...sumsOf(after, 1)];
  const key = ({ basis, day, status }: Sums) => `${basis} ${day} ${status}`;
  // Always in the same sequence, so that no two wait for each other.
  changes.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  for (const change of changes) await tx.run(add, change);
}

interface Sums {
  basis: Basis;
  day: string;
  status: string;
  payouts: number;
  amount: number;
}

function sumsOf(payout: Counted, sign: 1 | -1): Sums[] {
  const { status, requested_day, paid_day } = payout;
  const sums = { status, payouts: sign, amount: sign * payout.amount };
  const requested: Sums = { basis: 'requested', day: requested_day, ...sums };
  return paid_day === null ? [requested] : [requested, { basis: 'paid', day: paid_day, ...sums }];
}

export interface DaysFilter {
  status?: string | undefined;
  first: string;
  last: string;
}

const total = query<DaysFilter & { basis: Basis }, { payouts: number; amount: number }>(
  (db, p, given) =>
    db
      .selectFrom('payout_days')
      .select([
        sql<number>`coalesce(sum(payouts), 0)`.as('payouts'),
        sql<number>`coalesce(sum(amount), 0)`.as('amount'),
      ])
      .where('basis', '=', p.basis)
      .where('day', '>=', p.first)
      .where('day', '<=', p.last)
      .$if(given('status'), (q) => q.where('status', '=', p.status!)),
);

const byDay = query<DaysFilter, { day: string; payouts: number }>((db, p, given) =>
  db
    .selectFrom('payout_days')
    .select(['day', sql<number>`sum(payouts)`.as('payouts')])
    .where('basis', '=', 'requested')
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .$if(given('status'), (q) => q.where('status', '=', p.status!))
    .groupBy('day')
    .orderBy('day', 'desc'),
);

export async function sumDays(db: Reader, basis: Basis, { status, first, last }: DaysFilter) {
  return (await db.first(total, { basis, status, first, last }))!;
}

/**
 * Where a place in the list of payouts, newest first, is: its day, and how many of that day come
 * before it. So the last page costs what the first does.
 */
export async function dayAt(
  db: Reader,
  { status, first, last }: DaysFilter,
  offset: number,
): Promise<{ last: string; offset: number }> {
  let before = 0;
  for (const { day, payouts } of await db.all(byDay, { status, first, last })) {
    if (before + payouts > offset) return { last: day, offset: offset - before };
    before += payouts;
  }
  return { last, offset };
}
