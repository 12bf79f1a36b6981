import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { UNTIL_DECIDED } from './restraints.ts';

/** Offsets of time zones are multiples of it, so every quarter of an hour is within one local day. */
export const QUARTER_HOUR_MS = 15 * 60_000;

/** Commission on a coupon that is held back, by the quarter of an hour (since 1970) in which it is granted. */
export interface HeldSum {
  readonly coupon_id: number;
  readonly quarter: number;
  readonly amount: number;
}

/** The accounts of one affiliate; null for those without. */
export interface HeldAccounts {
  readonly userId: number | null;
  readonly couponIds: readonly number[];
}

export type HeldSums = (db: Reader, accounts: HeldAccounts) => Promise<HeldSum[]>;

/** Lets other modules add commission that is held back with an order. */
export const heldSums = new Point<HeldSums>('orders.held-sums');

const ofAccounts = query<{ coupon_ids: string; user_id: number | null }, HeldSum>(
  (db, p, _given, dialect) => {
    const quarter = sql<number>`release_at / ${sql.lit(QUARTER_HOUR_MS)}`;
    return db
      .selectFrom('referrals')
      .select((eb) => [
        'coupon_id',
        quarter.as('quarter'),
        eb.fn.sum<number>('awaiting').as('amount'),
      ])
      .where(dialect.inJsonArray('coupon_id', p.coupon_ids, 'number'))
      .where('release_at', 'is not', null)
      .where('user_id', '=', p.user_id)
      .groupBy(['coupon_id', quarter]);
  },
);

/** Commission that is payable by the status of its order and held for `commission.delay_days`. */
export interface Hold {
  readonly couponId: number;
  /** The local day on which it is granted. */
  readonly until: string;
  /** Minor units. */
  readonly amount: number;
}

/** What is held back on some accounts. */
interface HeldBack {
  /** One entry per coupon and day, earliest first. */
  readonly holds: readonly Hold[];
  /** By coupon, what is held until a person decides. */
  readonly inReview: ReadonlyMap<number, number>;
}

/** The parameters of a statement that finds what some accounts hold back. */
export function toKeys({ userId: user_id, couponIds }: HeldAccounts) {
  return { user_id, coupon_ids: jsonList([...couponIds]) };
}

const DECIDED_QUARTER = Math.floor(UNTIL_DECIDED / QUARTER_HOUR_MS);

export async function listHolds(db: Reader, site: Site, accounts: HeldAccounts): Promise<HeldBack> {
  const readers = [
    (reader: Reader) => reader.all(ofAccounts, toKeys(accounts)),
    ...site.registry
      .allContributions(heldSums)
      .map((read) => (reader: Reader) => read(reader, accounts)),
  ];
  const sums = (await Promise.all(readers.map((read) => read(db)))).flat();
  const holds = new Map<string, Hold>();
  const inReview = new Map<number, number>();
  for (const { coupon_id, quarter, amount } of sums) {
    if (quarter === DECIDED_QUARTER) {
      inReview.set(coupon_id, (inReview.get(coupon_id) ?? 0) + amount);
      continue;
    }
    const until = site.calendar.dayOf(quarter * QUARTER_HOUR_MS);
    const key = `${until} ${coupon_id}`;
    const held = (holds.get(key)?.amount ?? 0) + amount;
    if (held !== 0) holds.set(key, { couponId: coupon_id, until, amount: held });
  }
  const sorted = [...holds.values()].sort(
    (a, b) => (a.until < b.until ? -1 : Number(a.until > b.until)) || a.couponId - b.couponId,
  );
  return { holds: sorted, inReview };
}
