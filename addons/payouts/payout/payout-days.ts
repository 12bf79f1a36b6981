import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../../src/db/unit-of-work.ts';
import { totalsOf } from '../../../src/kernel/cache/total-cache.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { PayoutRow } from './payout-rows.ts';
import type { PayoutStatus } from './payout-status.ts';

/** The day by which a payout is counted. */
type Basis = 'requested' | 'paid';

/**
 * The cache of totals. Notifying all instances of every payout would empty all of their caches, so only the
 * instance that changes a payout drops its totals; the others recount after this many milliseconds.
 */
export const PAYOUT_TOTALS = { name: 'payouts', maxAgeMs: 500 };

interface DailySum {
  basis: Basis;
  day: string;
  status: PayoutStatus;
  payouts: number;
  amount: number;
}

const addSums = insertRows<DailySum>('payout_days', {
  on: ['basis', 'day', 'status'],
  add: ['payouts', 'amount'],
});

class PendingSums implements PendingWrites {
  readonly #sums = new Map<string, DailySum>();

  add(change: DailySum): void {
    const key = `${change.basis} ${change.day} ${change.status}`;
    const sum = this.#sums.get(key);
    if (!sum) {
      this.#sums.set(key, change);
      return;
    }
    sum.payouts += change.payouts;
    sum.amount += change.amount;
  }

  flush(tx: Transaction): Promise<void> {
    // All transactions lock the rows in this order, so they cannot deadlock.
    const sorted = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return tx.runMany(
      addSums,
      sorted.map(([, sum]) => sum),
    );
  }
}

/** Flushed last, because all payouts of a day share the rows of that day. */
const dailySums = defineWrites({
  name: 'payout days',
  after: 'attribution',
  create: () => new PendingSums(),
});

type CountedColumns = Pick<PayoutRow, 'status' | 'amount' | 'requested_day' | 'paid_day'>;

/**
 * Moves a payout from the sums of its previous status to those of its new one. Lists, reports and metrics read
 * these sums instead of counting payouts.
 *
 * @param before Null for a new payout.
 */
export function addToDailySums(
  tx: Transaction,
  site: Site,
  before: CountedColumns | null,
  after: CountedColumns,
): void {
  tx.afterCommit(() => totalsOf(site).forget(PAYOUT_TOTALS.name));
  const sums = tx.pending(dailySums);
  if (before) for (const sum of sumsOf(before, -1)) sums.add(sum);
  for (const sum of sumsOf(after, 1)) sums.add(sum);
}

function sumsOf(payout: CountedColumns, sign: 1 | -1): DailySum[] {
  const { status, requested_day, paid_day } = payout;
  const sum = { status, payouts: sign, amount: sign * payout.amount };
  const requested: DailySum = { basis: 'requested', day: requested_day, ...sum };
  return paid_day === null ? [requested] : [requested, { basis: 'paid', day: paid_day, ...sum }];
}

export interface DaysFilter {
  status?: PayoutStatus | undefined;
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
      .$if(given('status'), (q) => q.where('status', '=', p.status)),
);

export async function sumDays(db: Reader, basis: Basis, { status, first, last }: DaysFilter) {
  return (await db.first(total, { basis, status, first, last }))!;
}

const byDay = query<{ status?: PayoutStatus | undefined }, { day: string; payouts: number }>(
  (db, p, given) =>
    db
      .selectFrom('payout_days')
      .select(['day', sql<number>`sum(payouts)`.as('payouts')])
      .where('basis', '=', 'requested')
      .$if(given('status'), (q) => q.where('status', '=', p.status))
      .groupBy('day')
      .orderBy('day', 'desc'),
);

/**
 * Finds the day that contains an offset into the list of payouts, newest first, and the offset within that day.
 * With it the last page costs as much as the first.
 */
export async function findDayAt(
  db: Reader,
  site: Site,
  { status, first, last }: DaysFilter,
  offset: number,
): Promise<{ last: string; offset: number }> {
  const { name, maxAgeMs } = PAYOUT_TOTALS;
  const filter = { byDay: true, status };
  const days = await totalsOf(site).find(name, filter, () => db.all(byDay, { status }), {
    maxAgeMs,
  });
  let before = 0;
  for (const { day, payouts } of days) {
    if (day < first || day > last) continue;
    if (before + payouts > offset) return { last: day, offset: offset - before };
    before += payouts;
  }
  return { last, offset };
}
