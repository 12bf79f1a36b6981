import type { Reader, Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/site.ts';
import { convertClick, findClick, findLastClick, type CreditedClick } from './click-store.ts';
import { hashVisitor } from './click.ts';
import { cookieDays, DAY_MS } from './settings.ts';

/**
 * The click an order is credited to: the one it names, else its visitor's last one. Either must not
 * be older than the cookie lives, nor younger than the order.
 */
export async function findCreditedClick(
  db: Reader,
  site: Site,
  from: { clickId?: number | null; visitor?: string | null },
  placedAtMs: number,
): Promise<CreditedClick | undefined> {
  const span = {
    since: placedAtMs - site.settings.get(cookieDays) * DAY_MS,
    // Orders tell whole seconds: a click within that second came before it.
    until: placedAtMs + 999,
  };
  const named = from.clickId == null ? undefined : await findClick(db, from.clickId, span);
  if (named || from.visitor == null) return named;
  return findLastClick(db, hashVisitor(site, from.visitor), span);
}

/** Counts the conversion of a click. The same order again, or another one, counts nothing more. */
export function markConversion(tx: Transaction, clickId: number, orderId: number): Promise<void> {
  return convertClick(tx, clickId, orderId);
}
