import { sql, type SqlBool } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { Tables } from '../../db/tables.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { UNTIL_DECIDED } from './restraints.ts';
import { DELAY_MS_MAX } from './settings.ts';

/** Offsets of time zones are multiples of it, so every quarter of an hour is within one local day. */
const QUARTER_HOUR_MS = 15 * 60_000;

/** Commission on a coupon that is held back, by the quarter of an hour (since 1970) in which it is granted. */
interface HeldSum {
  readonly coupon_id: number;
  readonly quarter: number;
  readonly amount: number;
}

/** The accounts of one affiliate; null for those without. */
interface HeldAccounts {
  readonly userId: number | null;
  readonly couponIds: readonly number[];
}

type HeldSums = (db: Reader, accounts: HeldAccounts) => Promise<HeldSum[]>;

/** Lets other modules add commission that is held back with an order. */
export const heldSums = new Point<HeldSums>('orders.held-sums');

/** Where a table has commission that is held with its date: `release_at`. */
interface HeldColumns {
  readonly table: keyof Tables;
  readonly coupon?: string;
  readonly user?: string;
  readonly amount?: string;
}

/** What a table holds back on some accounts. */
export function heldIn({
  table,
  coupon = 'coupon_id',
  user = 'user_id',
  amount = 'awaiting',
}: HeldColumns): HeldSums {
  const statement = query<{ coupon_ids: string; user_id: number | null }, HeldSum>(
    (db, p, _given, dialect) => {
      const quarter = sql`release_at / ${sql.lit(QUARTER_HOUR_MS)}`;
      const sums = sql<HeldSum>`
        select ${sql.ref(coupon)} as coupon_id, ${quarter} as quarter, sum(${sql.ref(amount)}) as amount
        from ${sql.table(table)}
        where ${dialect.inJsonArray(coupon, p.coupon_ids, 'number')} and release_at is not null
          and ${sql.ref(user)} = ${p.user_id}
        group by ${sql.ref(coupon)}, ${quarter}`;
      return { compile: () => sums.compile(db) };
    },
  );
  return (db, { userId, couponIds }) =>
    db.all(statement, { user_id: userId, coupon_ids: jsonList([...couponIds]) });
}

/**
 * Limits what a table holds to the longest delay that can be set. The delay is in calendar days, of the setting as it
 * was, so this does not correct differences of an hour. What a person decides about has no time.
 */
export function releasesIn(table: HeldColumns['table'], key: 'order_id' | 'user_id') {
  const shorten = updateInBatches<{ now: number }>(table, key, (p) => {
    const latest = sql`${instant(p.now)} + ${sql.lit(DELAY_MS_MAX)}`;
    return {
      set: sql`release_at = ${latest}`,
      where: sql<SqlBool>`release_at > ${latest} and release_at < ${sql.lit(UNTIL_DECIDED)}`,
    };
  });
  return ({ database }: Site, now: number): Promise<void> => shorten(database, { now });
}

const ofReferrals = heldIn({ table: 'referrals' });

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

const DECIDED_QUARTER = Math.floor(UNTIL_DECIDED / QUARTER_HOUR_MS);

export async function listHolds(db: Reader, site: Site, accounts: HeldAccounts): Promise<HeldBack> {
  const readers = [ofReferrals, ...site.registry.allContributions(heldSums)];
  const sums = (await Promise.all(readers.map((read) => read(db, accounts)))).flat();
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
