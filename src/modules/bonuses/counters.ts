import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { collectedColumn, sumCollected, restraints, UNTIL_DECIDED } from '../orders/index.ts';
import type { DayRange, RewardCounter } from '../rewards/index.ts';

/** A counter over some days. */
interface CountedDays extends Pick<RewardCounter, 'by' | 'counts'>, DayRange {}

/** What a counter has to reach in a range of days. Amounts are minor units. */
export interface Goal extends CountedDays {
  readonly at: number;
}

/** What affiliates have collected in some ranges of days. */
export class Counters {
  readonly #sums = new Map<string, Awaited<ReturnType<typeof sumCollected>>[number]>();

  /** Reads all ranges of all affiliates at once. */
  static async read(
    db: Reader,
    wanted: Iterable<DayRange>,
    userIds: readonly number[],
  ): Promise<Counters> {
    const counters = new Counters();
    const asked = rangesOf(wanted).flatMap((range) =>
      userIds.map((user_id) => ({ user_id, ...range })),
    );
    for (const row of await sumCollected(db, asked)) {
      counters.#sums.set(sumKey(row.user_id, row), row);
    }
    return counters;
  }

  valueOf(userId: number, counted: CountedDays): number {
    return this.#sums.get(sumKey(userId, counted))?.[collectedColumn(counted)] ?? 0;
  }
}

/** Each of the ranges once. */
function rangesOf(wanted: Iterable<DayRange>): DayRange[] {
  const ranges = Array.from(wanted, ({ first, last }) => ({ first, last }));
  return [...new Map(ranges.map((range) => [sumKey(0, range), range])).values()];
}

/** Identifies what an affiliate has in a range of days. */
function sumKey(userId: number, { first, last }: DayRange): string {
  return `${userId} ${first} ${last}`;
}

interface Held {
  orders: number;
  sales: number;
  commission: number;
}

/** A former affiliate of a coupon still has the orders that were credited to it then. */
const listHeld = readAll<DayRange & { user_ids: string }, Held & { user_id: number }>(
  (db, p, _given, dialect) => {
    const isWanted = dialect.inJsonArray('user_id', p.user_ids, 'number');
    const accounts = db
      .selectFrom('coupons')
      .select(['id as coupon_id', sql<number>`user_id`.as('user_id')])
      .where(isWanted)
      .union(db.selectFrom('former_accounts').select(['coupon_id', 'user_id']).where(isWanted));
    return db
      .selectFrom(accounts.as('account'))
      .innerJoin('referrals', (join) =>
        join
          .onRef('referrals.coupon_id', '=', 'account.coupon_id')
          .onRef('referrals.user_id', '=', 'account.user_id'),
      )
      .select(({ fn }) => [
        'account.user_id',
        fn.countAll<number>().as('orders'),
        fn.sum<number>('referrals.sales').as('sales'),
        fn.sum<number>('referrals.commission').as('commission'),
      ])
      .where('referrals.release_at', '=', sql.lit(UNTIL_DECIDED))
      .where('referrals.day', '>=', p.first)
      .where('referrals.day', '<=', p.last)
      .groupBy('account.user_id');
  },
);

/**
 * The orders in review of some affiliates. They count, so that a bonus is the same once they are cleared, but what
 * depends on them does not become payable before that: a bonus that is payable is never taken back.
 */
export class OrdersInReview {
  readonly #held = new Map<string, Held>();

  /** Reads nothing where no commission can be in review. */
  static async read(
    db: Reader,
    site: Site,
    goals: Iterable<DayRange>,
    userIds: readonly number[],
  ): Promise<OrdersInReview> {
    const found = new OrdersInReview();
    if (site.registry.allContributions(restraints).length === 0) return found;
    for (const range of rangesOf(goals)) {
      for (const row of await listHeld(db, { ...range, user_ids: jsonList(userIds) })) {
        found.#held.set(sumKey(row.user_id, range), row);
      }
    }
    return found;
  }

  has(userId: number, days: DayRange): boolean {
    return this.#held.has(sumKey(userId, days));
  }

  /** Whether a goal is reached only with orders in review. */
  areNeeded(userId: number, goal: Goal | null, counters: Counters): boolean {
    const held = goal && this.#held.get(sumKey(userId, goal));
    if (!held) return false;
    // Each of the orders may be that of a new customer.
    const uncertain = goal.by === 'new_customers' ? held.orders : held[goal.by];
    return counters.valueOf(userId, goal) - uncertain < goal.at;
  }
}
