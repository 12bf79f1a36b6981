import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { orderStatuses, type OrderStatus } from '../../../modules/orders/index.ts';
import { isBanned } from '../clicks/banned-hosts.ts';
import type { ClickTrace } from '../clicks/trace-rows.ts';
import { adParametersOf } from '../rules/click-rules.ts';
import {
  sizeOfPage,
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

/** Referrals that a click led to, with what is kept of it, except clicks with these values. */
const tracedIn = (column: 'ads' | 'referrer') =>
  readAll<Span & { except: string }, TracedReferral>((db, p, _given, dialect) =>
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
  );

const traced = { ads: tracedIn('ads'), referrer: tracedIn('referrer') };

/** Few values are frequent: what was seen not to matter need not be read again. */
const EXCEPT_MAX = 300;

async function lookAtClicks(
  past: Past,
  found: Found,
  column: 'ads' | 'referrer',
  isWanted: (trace: ClickTrace) => boolean,
): Promise<void> {
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
  const limit = sizeOfPage(site, ORDERS_AT_ONCE);
  for (const status of orderStatuses) {
    for (let from = sinceMs; ;) {
      const end = await endOfPage(site.database.read, { status, from, limit });
      // Orders of the same millisecond belong to one page.
      const until = end && Math.max(end.placed_at, from + 1);
      yield { status, from, until: until ?? Number.MAX_SAFE_INTEGER };
      if (until === undefined) break;
      from = until;
      await nextTurn();
    }
  }
}
