import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { long, query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countedStatuses, isOutdated, resettleOrders } from '../orders/index.ts';
import { claimRefresh, holdsClaim } from './claim-refresh.ts';
import type { CouponFigures } from './figures.ts';
import { shareHistories, type ShareHistory } from './share-history.ts';
import {
  addUp,
  BEGINNING,
  correctDays,
  correctFormerDays,
  findFormerDays,
  isNothing,
  correctTotals,
  findStoredDays,
  findStoredTotals,
  minus,
  negativeTotals,
  sumNextReferrals,
  type AccountDay,
  type DailyFigures,
  type DayFigures,
  type Place,
  nextStretch,
  type Stretch,
} from './stats-rows.ts';

const REBUILD_EVERY_MS = 60_000;
const DAYS_A_TRANSACTION = 50;

/**
 * Rebuilds a coupon's stored figures from its order history, a few orders per statement, so that other
 * requests run in between. It compares history and figures in one snapshot and adds the differences to the
 * current figures: orders that are ingested during the rebuild change both by the same amounts. Orders that were
 * settled while other statuses counted are settled by the current setting first.
 *
 * Returns false if the coupon was rebuilt within the last minute.
 */
export async function rebuildCoupon(site: Site, couponId: number, nowMs: number): Promise<boolean> {
  const { database } = site;
  const mine = await database.transaction((tx) =>
    claimRefresh(tx, couponId, nowMs, REBUILD_EVERY_MS),
  );
  if (!mine) return false;
  await settleOutdated(site, couponId);
  const { days, former, ownerId, totals } = await database.snapshot((db) =>
    compare(db, couponId, site.registry.allContributions(shareHistories)),
  );
  // A rebuild may take longer than a minute, and a later one has found the same differences by then.
  const correct = (work: (tx: Transaction) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      if (await holdsClaim(tx, couponId, nowMs, ownerId)) await work(tx);
    });
  for (let i = 0; i < days.length; i += DAYS_A_TRANSACTION) {
    const some = days.slice(i, i + DAYS_A_TRANSACTION);
    await correct((tx) => correctDays(tx, couponId, some));
  }
  for (let i = 0; i < former.length; i += DAYS_A_TRANSACTION) {
    const some = former.slice(i, i + DAYS_A_TRANSACTION);
    await correct((tx) => correctFormerDays(tx, couponId, some));
  }
  await correct((tx) => correctTotals(tx, { coupon_id: couponId, ...totals }));
  return true;
}

interface Differences {
  readonly days: DayFigures[];
  /** What of the days is of former affiliates. */
  readonly former: AccountDay[];
  readonly ownerId: number;
  readonly totals: CouponFigures;
}

/** The differences of the stored figures of each day, and of their sum. */
async function compare(
  db: Reader,
  couponId: number,
  shares: readonly ShareHistory[],
): Promise<Differences> {
  const days = new Days<DayFigures>(({ day }) => day);
  const former = new Days<AccountDay>(({ user_id, day }) => `${user_id} ${day}`);
  // An edition without the multilevel add-on cannot recompute shares, so the stored amounts stay.
  const known = <F extends CouponFigures>(figures: F): F =>
    shares.length > 0 ? figures : { ...figures, upline_commission: 0 };
  const { owner_id: ownerId, ...stored } = await findStoredTotals(db, { coupon_id: couponId });
  const missing = negativeTotals(known(stored));
  const addAll = (sums: readonly AccountDay[]) => {
    for (const sum of sums) {
      const { user_id, ...figures } = sum;
      days.add(figures);
      addUp(missing, figures);
      if (user_id !== ownerId) former.add(sum);
    }
  };
  for (let after: Place | undefined = BEGINNING; after;) {
    const { sums, last } = await sumNextReferrals(db, couponId, after);
    addAll(sums);
    after = last;
  }
  for (const pieces of shares) {
    for await (const sums of pieces(db, couponId)) {
      addAll(sums.map((sum) => ({ ...minus(undefined, undefined), ...sum })));
    }
  }
  const ofCoupon = { coupon_id: couponId };
  for (const day of await findStoredDays(db, ofCoupon)) days.subtract(known(day));
  for (const day of await findFormerDays(db, ofCoupon)) former.subtract(known(day));
  return { days: days.differences(), former: former.differences(), ownerId, totals: missing };
}

/** Sums of figures, of days or of what affiliates have of them. */
class Days<D extends DailyFigures> {
  readonly #sums = new Map<string, D>();
  readonly #keyOf: (day: D) => string;

  constructor(keyOf: (day: D) => string) {
    this.#keyOf = keyOf;
  }

  add(day: D): void {
    const sum = this.#sums.get(this.#keyOf(day));
    if (sum) addUp(sum, day);
    else this.#sums.set(this.#keyOf(day), { ...day });
  }

  subtract(day: D): void {
    this.add({ ...day, ...minus(undefined, day) });
  }

  differences(): D[] {
    return [...this.#sums.values()].filter((day) => !isNothing(day));
  }
}

const outdatedOf = query<Stretch & { statuses: string }, { order_id: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('referrals')
      .select('order_id')
      .where('coupon_id', '=', p.coupon_id)
      .where(sql<boolean>`(day, placed_at, order_id) > (${p.day}, ${p.placed_at}, ${p.order_id})`)
      .where(
        sql<boolean>`(day, placed_at, order_id) <= (${p.last_day}, ${p.last_placed_at}, ${p.last_order_id})`,
      )
      .where(isOutdated(dialect, p.statuses)),
  long,
);

/** Applies the current setting to the orders of a coupon that were settled by an earlier one. */
async function settleOutdated(site: Site, couponId: number): Promise<void> {
  const { read } = site.database;
  const statuses = JSON.stringify(site.settings.get(countedStatuses));
  for (let after: Place | undefined = BEGINNING; after;) {
    const next: Awaited<ReturnType<typeof nextStretch>> = await nextStretch(read, couponId, after);
    const rows = await read.all(outdatedOf, { ...next.stretch, statuses });
    await resettleOrders(
      site,
      rows.map(({ order_id }) => order_id),
    );
    after = next.last;
  }
}
