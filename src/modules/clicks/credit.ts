import type { Reader } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { findClicks, findLastClicks, type CreditedClick, type VisitorSpan } from './click-rows.ts';
import { cookieDays } from './settings.ts';

/** What an order says about the click that led to it. */
export interface ClickSource {
  readonly clickId: number | null;
  readonly visitorHash: string | null;
  readonly placedAtMs: number;
  /** The last millisecond that the time of the order may mean, where the store sends a minute or a day only. */
  readonly placedUntilMs: number;
}

/** The attribution window: a click must be younger than the cookie and older than the order. */
function spanOf(
  site: Site,
  { placedAtMs, placedUntilMs }: ClickSource,
): { since: number; until: number } {
  return {
    since: placedAtMs - site.settings.get(cookieDays) * DAY_MS,
    // A click that may have been before the order counts as earlier.
    until: placedUntilMs,
  };
}

/** The clicks that a set of orders may be credited to. */
export interface CreditableClicks {
  readonly ids: ReadonlySet<number>;
  readonly couponIds: readonly number[];
  /** The click that the order names by its id, within the attribution window. */
  named(order: ClickSource): CreditedClick | undefined;
  /** The last click of the order's visitor within the attribution window. */
  lastOfVisitor(order: ClickSource): CreditedClick | undefined;
}

/** Reads the clicks that any number of orders may be credited to, in at most two statements. */
export async function findCreditableClicks(
  db: Reader,
  site: Site,
  orders: readonly ClickSource[],
): Promise<CreditableClicks> {
  const ids = new Set(orders.map((order) => order.clickId).filter((id) => id !== null));
  const spans = new Map<string, VisitorSpan>();
  for (const order of orders) {
    if (order.visitorHash === null) continue;
    const span = { visitor_hash: order.visitorHash, ...spanOf(site, order) };
    spans.set(keyOf(span), span);
  }
  const [named, visited] = await Promise.all([
    findClicks(db, [...ids]),
    findLastClicks(db, [...spans.values()]),
  ]);
  const byId = new Map(named.map((click) => [click.id, click]));
  const byVisitor = new Map(visited.map((click) => [keyOf(click), click]));
  return {
    ids: new Set([...named, ...visited].map((click) => click.id)),
    couponIds: [...named, ...visited].map((click) => click.coupon_id),
    named(order) {
      const click = order.clickId === null ? undefined : byId.get(order.clickId);
      if (!click) return undefined;
      const { since, until } = spanOf(site, order);
      return click.clicked_at >= since && click.clicked_at <= until ? click : undefined;
    },
    lastOfVisitor(order) {
      if (order.visitorHash === null) return undefined;
      return byVisitor.get(keyOf({ visitor_hash: order.visitorHash, ...spanOf(site, order) }));
    },
  };
}

function keyOf({ visitor_hash, since, until }: VisitorSpan): string {
  return `${visitor_hash} ${since} ${until}`;
}
