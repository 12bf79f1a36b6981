import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import type { PayoutRow } from './payout-store.ts';

type Basis = 'requested' | 'paid';

/**
 * Payouts change all the time, and notifying every instance of each would empty all of their caches. The
 * instance that changes a payout counts again at once, the others after so many milliseconds.
 */
export const PAYOUT_TOTALS = { name: 'payouts', keptMs: 500 };

interface Sums {
  basis: Basis;
  day: string;
  status: string;
  payouts: number;
  amount: number;
}

const addAll = insertRows<Sums>(
  'payout_days',
  { basis: 'text', day: 'text', status: 'text', payouts: 'number', amount: 'number' },
  { on: ['basis', 'day', 'status'], add: ['payouts', 'amount'] },
);

type Counted = Pick<PayoutRow, 'status' | 'amount' | 'requested_day' | 'paid_day'>;

/** A payout as it was counted before, where it was, and as it counts now. */
export interface CountedChange {
  readonly before?: Counted;
  readonly after: Counted;
}

class PendingDays implements PendingWrites {
  readonly #sums = new Map<string, Sums>();

  add(change: Sums): void {
    const key = `${change.basis} ${change.day} ${change.status}`;
    const sum = this.#sums.get(key);
    if (!sum) this.#sums.set(key, change);
    else {
      sum.payouts += change.payouts;
      sum.amount += change.amount;
    }
  }

  /** By ascending key, so that no two transactions deadlock. */
  flush(tx: Transaction): Promise<void> {
    const sorted = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return tx.runMany(
      addAll,
      sorted.map(([, sum]) => sum),
    );
  }
}

/** Every payout of a day waits for the sums of that day, so they are written last. */
const payoutDays = defineWrites({
  name: 'payout days',
  after: 'attribution',
  create: () => new PendingDays(),
});

/** Moves the daily sums: totals of lists and reports come from them, whatever the number of payouts. */
export function moveDays(tx: Transaction, site: Site, { before, after }: CountedChange): void {
  tx.afterCommit(() => totalsOf(site).forget(PAYOUT_TOTALS.name));
  const days = tx.pending(payoutDays);
  if (before) for (const change of sumsOf(before, -1)) days.add(change);
  for (const change of sumsOf(after, 1)) days.add(change);
}

function sumsOf(payout: Counted, sign: 1 | -1): Sums[] {
  const { status, requested_day, paid_day } = payout;
  const sums = { status, payouts: sign, amount: sign * payout.amount };
  const requested: Sums = { basis: 'requested', day: requested_day, ...sums };
  return paid_day === null ? [requested] : [requested, { basis: 'paid', day: paid_day, ...sums }];
}

interface Day {
  readonly day: string;
  readonly payouts: number;
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
      .$if(given('status'), (q) => q.where('status', '=', p.status)),
);

const byDay = query<{ status?: string | undefined }, Day>((db, p, given) =>
  db
    .selectFrom('payout_days')
    .select(['day', sql<number>`sum(payouts)`.as('payouts')])
    .where('basis', '=', 'requested')
    .$if(given('status'), (q) => q.where('status', '=', p.status))
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
  site: Site,
  { status, first, last }: DaysFilter,
  offset: number,
): Promise<{ last: string; offset: number }> {
  const { name, keptMs } = PAYOUT_TOTALS;
  const filter = { byDay: true, status };
  const days = await totalsOf(site).find(name, filter, () => db.all(byDay, { status }), { keptMs });
  let before = 0;
  for (const { day, payouts } of days) {
    if (day < first || day > last) continue;
    if (before + payouts > offset) return { last: day, offset: offset - before };
    before += payouts;
  }
  return { last, offset };
}
