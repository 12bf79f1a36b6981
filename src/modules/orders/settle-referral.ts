import type { Site } from '../../kernel/declare/site.ts';
import type { Fraction } from '../../shared/money.ts';
import { emitCommission, postEarnings } from '../ledger/index.ts';
import type { OrderChanges } from './order-changes.ts';
import { referralCreated, referralReversed, referralUpdated } from './order-events.ts';
import type { ReferralRow } from './order-store.ts';
import { delayDays } from './settings.ts';
import type { ReferralState, Sending } from './sending.ts';

const DAY_MS = 24 * 60 * 60_000;

type Unsettled = Omit<ReferralRow, 'awaiting' | 'granted'>;

/**
 * Brings the journal to what a referral is worth now: posts the difference, saves the referral and
 * tells of it, then lets other modules follow. What was granted and is no more goes back to the
 * store, although the balance may fall below zero: it is carried forward.
 */
export function settleReferral(
  changes: OrderChanges,
  site: Site,
  before: ReferralRow | undefined,
  next: Unsettled,
  base: Fraction | undefined,
  sending: Sending,
): ReferralRow {
  const releaseAt = releaseAtOf(site, before, next, sending.nowMs);
  const state = releaseAt === null ? (next.state as ReferralState) : 'awaiting';
  const settled: ReferralRow = {
    order_id: next.order_id,
    coupon_id: next.coupon_id,
    user_id: next.user_id,
    via: next.via,
    credited_by: next.credited_by,
    click_id: next.click_id,
    rates: next.rates,
    day: next.day,
    placed_at: next.placed_at,
    status: next.status,
    commission: next.commission,
    state,
    dropped: next.dropped,
    awaiting: state === 'awaiting' ? next.commission : 0,
    granted: state === 'granted' ? next.commission : 0,
    release_at: releaseAt,
    counted: next.counted,
    sales: next.sales,
    discount: next.discount,
    shipping: next.shipping,
  };
  postDifference(changes, site, before, settled, sending);
  changes.saveReferral(settled);
  tellReferral(changes, site, before, settled, sending);
  changes.follow({ before, after: settled, base }, sending);
  return settled;
}

/** When a commission that would be payable now is to be, where it is held back first. */
function releaseAtOf(
  site: Site,
  before: ReferralRow | undefined,
  next: Unsettled,
  nowMs: number,
): number | null {
  if (next.state !== 'granted' || before?.state === 'granted') return null;
  const releaseAt = before?.release_at ?? nowMs + site.settings.get(delayDays) * DAY_MS;
  return releaseAt > nowMs ? releaseAt : null;
}

function postDifference(
  { movements, events }: OrderChanges,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs }: Sending,
): void {
  const entry = {
    couponId: after.coupon_id,
    kind: 'order' as const,
    orderId: after.order_id,
    userId: actorId,
    note: `Order ${after.order_id}: ${after.status}`,
    nowMs,
  };
  postEarnings(movements, before, after, entry);
  emitCommission(events, site, {
    couponId: after.coupon_id,
    ownerId: after.user_id,
    orderId: after.order_id,
    amountMinor: after.granted - (before?.granted ?? 0),
    note: entry.note,
    actorId,
    nowMs,
  });
}

function tellReferral(
  { events }: OrderChanges,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs }: Sending,
): void {
  const { currency } = site;
  const commission = currency.toMajor(after.commission);
  const common = { objectId: after.order_id, userId: actorId, nowMs };
  const order = `Order ${after.order_id} (${after.status})`;
  const data = {
    order_id: after.order_id,
    coupon_id: after.coupon_id,
    user_id: after.user_id,
    total: currency.toMajor(after.sales),
    commission,
    currency: currency.code,
    status: after.status,
  };
  if (before && isReversed(before, after)) {
    const amount = currency.toMajor(before.commission);
    events.emit(referralReversed, {
      ...common,
      info: `${order}: commission ${amount} ${currency.code} taken back from coupon ${after.coupon_id}.`,
      data: { ...data, amount },
    });
    return;
  }
  events.emit(before ? referralUpdated : referralCreated, {
    ...common,
    info: `${order}: commission ${commission} ${currency.code} for coupon ${after.coupon_id}.`,
    data,
  });
}

/** It earned, or could earn, and does so no longer: void, or refunded whole. */
function isReversed(before: ReferralRow, after: ReferralRow): boolean {
  if (before.state === 'void') return false;
  return after.state === 'void' || (before.commission > 0 && after.commission === 0);
}
