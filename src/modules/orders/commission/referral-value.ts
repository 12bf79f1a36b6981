import type { Site } from '../../../kernel/declare/site.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow, ReferralState } from '../order-store.ts';
import type { ReferralTerms } from './referral-rates.ts';
import { countedStatuses, grantedStatuses } from '../settings.ts';

/** Whether an order counts in statistics now. */
export function isCounted(site: Site, status: string): boolean {
  return (site.settings.get(countedStatuses) as readonly string[]).includes(status);
}

/**
 * What the status of an order makes of a referral. A commission that was granted stays so while the
 * order keeps its status, also where the setting has changed since then: a later refund takes back its
 * part of the money, the setting takes nothing.
 */
export function stateNow(
  site: Site,
  status: string,
  {
    terms,
    dropped,
    previous,
  }: { terms: ReferralTerms; dropped: number; previous: ReferralRow | undefined },
): ReferralState {
  if (terms.self || dropped) return 'void';
  if (previous?.status === status && isGranted(previous)) return 'granted';
  if ((site.settings.get(grantedStatuses) as readonly string[]).includes(status)) return 'granted';
  return isCounted(site, status) ? 'awaiting' : 'void';
}

/** Granted, or granted and held back for some days. */
export function isGranted({ state, release_at }: ReferralRow): boolean {
  return state === 'granted' || release_at !== null;
}

/** What the order makes of a referral now. */
export function valued(
  site: Site,
  order: PreparedOrder,
  state: ReferralState,
  { dropped }: { dropped: number },
  commission: number,
) {
  return {
    day: order.day,
    placed_at: order.placedAtMs,
    status: order.status,
    commission: state === 'void' ? 0 : commission,
    state,
    counted: isCounted(site, order.status) && !dropped ? 1 : 0,
    sales: order.total - order.refunded,
    discount: order.discount,
    shipping: order.shipping,
  };
}
