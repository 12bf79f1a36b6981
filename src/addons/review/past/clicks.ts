import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { isBanned } from '../clicks/banned-hosts.ts';
import type { ClickTrace } from '../clicks/trace-rows.ts';
import { adParametersOf } from '../rules/click-rules.ts';
import { referralsOfOrders, type Found, type LookBack, type Past } from './look-back.ts';

/** A statement looks at as many clicks, in the order of an index: a few milliseconds. */
const CLICKS_AT_ONCE = 2_000;

/** The time of the click that ends a page. */
const endOfPage = readFirst<{ from: number; limit: number }, { recorded_at: number }>((db, p) =>
  db
    .selectFrom('review_click_traces')
    .select('recorded_at')
    .where('recorded_at', '>=', p.from)
    .orderBy('recorded_at')
    .limit(sql.lit(1))
    .offset(p.limit),
);

type Span = { from: number; until: number };

const hostsBetween = readAll<Span, { referrer: string }>((db, p) =>
  db
    .selectFrom('review_click_traces')
    .select('referrer')
    .distinct()
    .where('recorded_at', '>=', p.from)
    .where('recorded_at', '<', p.until),
);

type ConvertedTrace = ClickTrace & { order_id: number };

/** Clicks that led to an order, from some hosts or from ads. */
const tracesBetween = readAll<Span & { hosts?: string }, ConvertedTrace>((db, p, given, dialect) =>
  db
    .selectFrom('review_click_traces as traces')
    .innerJoin('clicks', 'clicks.id', 'traces.click_id')
    .select(['traces.click_id', 'traces.referrer', 'traces.ads'])
    .select(['clicks.campaign', 'clicks.order_id'])
    .where('traces.recorded_at', '>=', p.from)
    .where('traces.recorded_at', '<', p.until)
    .where('clicks.order_id', 'is not', null)
    .$if(!given('hosts'), (q) => q.where('traces.ads', '<>', sql.lit('')))
    .$if(given('hosts'), (q) => q.where(dialect.inJsonArray('traces.referrer', p.hosts, 'text')))
    .$narrowType<{ order_id: number }>(),
);

/** Orders whose click came from an ad. A click counts for the first of its orders. */
export const lookForPaidAds: LookBack = async (past, found) => {
  for await (const span of spansOfClicks(past)) {
    const traces = await tracesBetween(past.site.database.read, span);
    const matching = traces.filter(
      (trace) => adParametersOf(trace, past.options.paid_ads).length > 0,
    );
    await addOrders(past, found, matching);
  }
};

/** Orders whose click came from a banned host. A click counts for the first of its orders. */
export const lookForBannedReferrers: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const list = past.options.banned_referrers.hosts;
  if (list.length === 0) return;
  for await (const span of spansOfClicks(past)) {
    const hosts = await hostsBetween(read, span);
    const banned = hosts.flatMap(({ referrer }) => (isBanned(referrer, list) ? [referrer] : []));
    if (banned.length === 0) continue;
    const traces = await tracesBetween(read, { ...span, hosts: jsonList(banned) });
    await addOrders(past, found, traces);
  }
};

/** Clicks are recorded before their orders: those of earlier days may have led to one. */
async function* spansOfClicks({ site }: Past): AsyncGenerator<Span> {
  for (let from = 0; ;) {
    const end = await endOfPage(site.database.read, { from, limit: CLICKS_AT_ONCE });
    // Clicks of the same millisecond belong to one page.
    const until = end && end.recorded_at > from ? end.recorded_at : from + 1;
    yield { from, until: end ? until : Number.MAX_SAFE_INTEGER };
    if (!end) return;
    from = until;
    await nextTurn();
  }
}

async function addOrders(
  { site, sinceMs }: Past,
  found: Found,
  traces: readonly ConvertedTrace[],
): Promise<void> {
  const clicks = new Set(traces.map(({ click_id }) => click_id));
  const orders = [...new Set(traces.map(({ order_id }) => order_id))];
  for (const row of await referralsOfOrders(site.database.read, orders)) {
    if (row.placed_at >= sinceMs && clicks.has(row.click_id ?? 0)) found.add(row);
  }
}
