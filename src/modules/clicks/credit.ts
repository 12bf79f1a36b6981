import type { Reader, Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/site.ts';
import { convertClick, findClicks, findLastClick, type CreditedClick } from './click-store.ts';
import { hashVisitor } from './click.ts';
import { cookieDays, DAY_MS } from './settings.ts';

/** When a click must lie: not older than the cookie lives, nor younger than the order. */
function spanOf(site: Site, placedAtMs: number): { since: number; until: number } {
  return {
    since: placedAtMs - site.settings.get(cookieDays) * DAY_MS,
    // Orders tell whole seconds: a click within that second came before it.
    until: placedAtMs + 999,
  };
}

/** Of the clicks that orders name, the one with this number, where an order of that time is credited to it. */
export type NamedClicks = (clickId: number, placedAtMs: number) => CreditedClick | undefined;

/** Reads the clicks that some orders name, however many. */
export async function findNamedClicks(
  db: Reader,
  site: Site,
  ids: ReadonlySet<number>,
): Promise<{ find: NamedClicks; couponIds: number[] }> {
  const rows = await findClicks(db, [...ids]);
  const clicks = new Map(rows.map((click) => [click.id, click]));
  return {
    couponIds: rows.map((click) => click.coupon_id),
    find(clickId, placedAtMs) {
      const click = clicks.get(clickId);
      if (!click) return undefined;
      const { id, coupon_id, clicked_at } = click;
      const { since, until } = spanOf(site, placedAtMs);
      return clicked_at >= since && clicked_at <= until ? { id, coupon_id } : undefined;
    },
  };
}

/** The click an order is credited to: the one it names, else its visitor's last one. */
export async function findCreditedClick(
  db: Reader,
  site: Site,
  from: { clickId?: number | null; visitor?: string | null },
  placedAtMs: number,
): Promise<CreditedClick | undefined> {
  const ids = new Set(from.clickId == null ? [] : [from.clickId]);
  const { find } = await findNamedClicks(db, site, ids);
  const named = from.clickId == null ? undefined : find(from.clickId, placedAtMs);
  if (named || from.visitor == null) return named;
  return findLastClick(db, hashVisitor(site, from.visitor), spanOf(site, placedAtMs));
}

/** Counts the conversion of a click. The same order again, or another one, counts nothing more. */
export function markConversion(tx: Transaction, clickId: number, orderId: number): Promise<void> {
  return convertClick(tx, clickId, orderId);
}
