import { sql } from 'kysely';
import { readAll, readFirst } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import { orderStatuses, type OrderStatus } from '../../../src/modules/orders/index.ts';
import { isBanned } from '../clicks/banned-hosts.ts';
import type { ClickTrace } from '../clicks/trace-rows.ts';
import { adParametersOf } from '../rules/click-rules.ts';
import {
  wideRange,
  type Found,
  type FoundReferral,
  type LookBack,
  type Past,
} from './look-back.ts';

/** A statement looks at as many orders, in the order of an index: a few milliseconds. */
const ORDERS_AT_ONCE = 2_000;

/** When the order that ends a page was placed. */
const endOfPage = readFirst<
  { status: OrderStatus; from: number; limit: number },
  { placed_at: number }
>((db, p) =>
  db
    .selectFrom('orders')
    .select('placed_at')
    .where('status', '=', p.status)
    .where('placed_at', '>=', p.from)
    .orderBy('placed_at')
    .limit(sql.lit(1))
    .offset(p.limit),
);

type Span = { status: OrderStatus; from: number; until: number };
type TracedReferral = FoundReferral & ClickTrace;
type Column = 'ads' | 'referrer';

/** Referrals that a click led to, with what is kept of it, except clicks with these values. */
const tracedIn = (column: Column) =>
  readAll<Span & { except: string }, TracedReferral>(
    (db, p, _given, dialect) =>
      db
        .selectFrom('orders')
        .crossJoin('referrals')
        .crossJoin('review_click_traces as traces')
        .crossJoin('clicks')
        .select(['referrals.order_id', 'referrals.user_id', 'referrals.commission'])
        .select(['traces.click_id', 'traces.referrer', 'traces.ads', 'clicks.campaign'])
        .where('orders.status', '=', p.status)
        .where('orders.placed_at', '>=', p.from)
        .where('orders.placed_at', '<', p.until)
        .whereRef('referrals.order_id', '=', 'orders.order_id')
        .where('referrals.dropped', '=', sql.lit(0))
        .whereRef('traces.click_id', '=', 'referrals.click_id')
        .where(({ not }) => not(dialect.inJsonArray(`traces.${column}`, p.except, 'text')))
        .whereRef('clicks.id', '=', 'traces.click_id'),
    long,
  );

const traced = { ads: tracedIn('ads'), referrer: tracedIn('referrer') };

/** Few values are frequent: what was seen not to matter need not be read again. */
const EXCEPT_MAX = 300;

type IsWanted = (trace: ClickTrace) => boolean;

async function lookAtClicks(
  past: Past,
  found: Found,
  column: Column,
  isWanted: IsWanted,
): Promise<void> {
  if (!past.site.database.dialect.blocksEventLoop) {
    return lookAtAllClicks(past, found, column, isWanted);
  }
  const except = new Set(['']);
  for await (const span of spansOfOrders(past)) {
    const params = { ...span, except: jsonList([...except]) };
    for (const row of await traced[column](past.site.database.read, params)) {
      if (isWanted(row)) found.add(row);
      // A campaign may be advertised.
      else if (row.campaign === '' && except.size < EXCEPT_MAX) except.add(row[column]);
    }
  }
}

const valuesIn = (column: Column) =>
  readAll<object, { value: string }>(
    (db) => db.selectFrom('review_click_traces').select(`${column} as value`).distinct(),
    long,
  );

const tracedWith = (column: Column) =>
  readAll<{ from: number; values: string }, TracedReferral>(
    (db, p, _given, dialect) =>
      db
        .selectFrom('review_click_traces as traces')
        .innerJoin('referrals', 'referrals.click_id', 'traces.click_id')
        .select(['referrals.order_id', 'referrals.user_id', 'referrals.commission'])
        .select(['traces.click_id', 'traces.referrer', 'traces.ads'])
        // Not joined: the server would read all clicks for the few that are found.
        .select(({ selectFrom }) =>
          selectFrom('clicks')
            .select('clicks.campaign')
            .whereRef('clicks.id', '=', 'traces.click_id')
            .$asScalar()
            .$notNull()
            .as('campaign'),
        )
        .where(dialect.inJsonArray(`traces.${column}`, p.values, 'text'))
        .where(wideRange(dialect, 'referrals.placed_at', 'number'), '>=', p.from)
        .where('referrals.dropped', '=', sql.lit(0)),
    long,
  );

const values = { ads: valuesIn('ads'), referrer: valuesIn('referrer') };
const withValues = { ads: tracedWith('ads'), referrer: tracedWith('referrer') };

/** A server that runs in a process of its own reads whole tables sooner than it follows each order to its click. */
async function lookAtAllClicks(
  { site, sinceMs }: Past,
  found: Found,
  column: Column,
  isWanted: IsWanted,
): Promise<void> {
  const any = { click_id: 0, referrer: '', ads: '', campaign: '' };
  const wanted = (await values[column](site.database.read, {}))
    .map(({ value }) => value)
    .filter((value) => isWanted({ ...any, [column]: value }));
  if (wanted.length === 0) return;
  const params = { from: sinceMs, values: jsonList(wanted) };
  for (const row of await withValues[column](site.database.read, params)) {
    // A campaign may be advertised.
    if (isWanted(row)) found.add(row);
  }
}

/** Orders whose click came from an ad. */
export const lookForPaidAds: LookBack = (past, found) =>
  lookAtClicks(
    past,
    found,
    'ads',
    (trace) => adParametersOf(trace, past.options.paid_ads).length > 0,
  );

/** Orders whose click came from a banned host. */
export const lookForBannedReferrers: LookBack = async (past, found) => {
  const { hosts } = past.options.banned_referrers;
  if (hosts.length === 0) return;
  await lookAtClicks(past, found, 'referrer', ({ referrer }) => isBanned(referrer, hosts));
};

/** Clicks are many times as many as orders, so orders are followed to their clicks. */
async function* spansOfOrders({ site, sinceMs }: Past): AsyncGenerator<Span> {
  for (const status of orderStatuses) {
    for (let from = sinceMs; ;) {
      const end = await endOfPage(site.database.read, { status, from, limit: ORDERS_AT_ONCE });
      // Orders of the same millisecond belong to one page.
      const until = end && Math.max(end.placed_at, from + 1);
      yield { status, from, until: until ?? Number.MAX_SAFE_INTEGER };
      if (until === undefined) break;
      from = until;
    }
  }
}
