import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
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

/**
 * Keeps the daily sums: totals of lists and reports come from them, whatever the number of payouts.
 * Every payout of the day waits for the sums of the day, so they are the last to be written.
 */
export async function moveDays(
  tx: Transaction,
  site: Site,
  changes: readonly CountedChange[],
): Promise<void> {
  tx.afterCommit(() => totalsOf(site).forget(PAYOUT_TOTALS.name));
  const sums = new Map<string, Sums>();
  for (const { before, after } of changes) {
    for (const change of [...(before ? sumsOf(before, -1) : []), ...sumsOf(after, 1)]) {
      const key = `${change.basis} ${change.day} ${change.status}`;
      const sum = sums.get(key);
      if (!sum) sums.set(key, change);
      else {
        sum.payouts += change.payouts;
        sum.amount += change.amount;
      }
    }
  }
  // Always in the same sequence, so that no two wait for each other.
  const inSequence = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.runMany(
    addAll,
    inSequence.map(([, sum]) => sum),
  );
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
