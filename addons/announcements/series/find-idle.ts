import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { refreshForRead } from '../../../src/modules/affiliates/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { listActiveAffiliates } from './member-rows.ts';
import { enterSeries } from './membership.ts';
import {
  findSeries,
  listSteps,
  lockSeries,
  saveIdlePosition,
  type SeriesRow,
} from './series-rows.ts';

const AT_ONCE_MAX = 200;

/** The last affiliate that was looked at: a time and an id. */
type Place = readonly [at: number, userId: number];

/** Affiliates with orders are found by the last one, the others by the day they joined. */
interface IdlePosition {
  readonly ordered: Place;
  readonly joined: Place;
}

/** Affiliates who have been idle for longer do not enter: they would all get a mail at once. */
export function idleFrom(nowMs: number, idleDays: number): string {
  const place: Place = [nowMs - idleDays * DAY_MS, 0];
  return JSON.stringify({ ordered: place, joined: place } satisfies IdlePosition);
}

interface Range {
  from: number;
  after: number;
  until: number;
  limit: number;
}

interface IdleRow {
  at: number;
  user_id: number;
}

const listBy = (column: 'last_order_at' | 'registered_at', hasNoOrder: boolean) =>
  readAll<Range, IdleRow>((db, p) =>
    db
      .selectFrom('roster')
      .select([`${column} as at`, 'user_id'])
      .where(column, '>=', p.from)
      .where(column, '<=', p.until)
      .where((eb) => eb.or([eb(column, '>', p.from), eb('user_id', '>', p.after)]))
      .$if(hasNoOrder, (q) => q.where('last_order_at', '=', sql.lit(0)))
      .orderBy(column)
      .orderBy('user_id')
      .limit(p.limit),
  );

const listOrdered = listBy('last_order_at', false);
/** All who joined then: one with an order costs a row here, and no index is needed. */
const listJoined = listBy('registered_at', true);

async function readIdle(db: Reader, series: SeriesRow, nowMs: number) {
  // Only positions are stored there.
  const { ordered, joined } = JSON.parse(series.position) as IdlePosition;
  const until = nowMs - (series.idle_days ?? 0) * DAY_MS;
  const range = ([from, after]: Place) => ({ from, after, until, limit: AT_ONCE_MAX });
  const rows = [
    await listOrdered(db, range(ordered)),
    await listJoined(db, range(joined)),
  ] as const;
  const place = (some: readonly IdleRow[], before: Place): Place => {
    const last = some.at(-1);
    return last ? [last.at, last.user_id] : before;
  };
  return {
    userIds: rows.flat().map(({ user_id }) => user_id),
    position: { ordered: place(rows[0], ordered), joined: place(rows[1], joined) },
    isMore: rows.some((some) => some.length === AT_ONCE_MAX),
  };
}

/**
 * Lets those enter whose last order, or joining, is now so many days ago. It reads only who has come to that point
 * since the last time. Returns whether there may be more.
 */
export async function enterIdle(site: Site, series: SeriesRow): Promise<boolean> {
  const { read, transaction } = site.database;
  const nowMs = site.clock();
  await refreshForRead(read, site);
  // Usually there is none, and that needs no transaction.
  if ((await readIdle(read, series, nowMs)).userIds.length === 0) return false;
  return transaction((tx) => enterSome(tx, series.id, nowMs));
}

async function enterSome(tx: Transaction, id: number, nowMs: number): Promise<boolean> {
  await lockSeries(tx);
  const series = await findSeries(tx, { id });
  if (series?.active !== 1 || series.starts_on !== 'idle') return false;
  const { userIds, position, isMore } = await readIdle(tx, series, nowMs);
  const affiliates = await listActiveAffiliates(tx, userIds);
  const entrants = affiliates.map(({ user_id }) => ({ userId: user_id, atMs: nowMs }));
  await enterSeries(tx, series, await listSteps(tx, [id]), entrants);
  await saveIdlePosition(tx, { id, position: JSON.stringify(position) });
  return isMore;
}
