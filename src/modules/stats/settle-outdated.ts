import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countedStatuses, isOutdated, resettleOrders } from '../orders/index.ts';
import { BEGINNING, nextStretch, type Place, type Stretch } from './stats-store.ts';

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
);

/** Applies the current setting to the orders of a coupon that were settled by an earlier one. */
export async function settleOutdated(site: Site, couponId: number): Promise<void> {
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
    await nextTurn();
  }
}
