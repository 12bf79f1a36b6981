import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/site.ts';
import type { Fraction } from '../../shared/money.ts';
import { emit } from '../events/index.ts';
import { emitCommission, postEarnings } from '../ledger/index.ts';
import { referralFollowers } from './follow-referral.ts';
import { referralCreated, referralReversed, referralUpdated } from './order-events.ts';
import { saveReferral, type ReferralRow } from './order-store.ts';
import { delayDays } from './settings.ts';
import type { ReferralState, Sending } from './sending.ts';

const DAY_MS = 24 * 60 * 60_000;

type Unsettled = Omit<ReferralRow, 'awaiting' | 'granted'>;

/**
 * Brings the journal to what a referral is worth now: posts the difference, saves the referral and
 * tells of it, then lets other modules follow. What was granted and is no more goes back to the store, although the balance may fall
 * below zero: it is carried forward.
 */
export async function settleReferral(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  next: Unsettled,
  base: Fraction | undefined,
  sending: Sending,
): Promise<ReferralRow> {
  const releaseAt = releaseAtOf(site, before, next, sending.nowMs);
  const state = releaseAt === null ? (next.state as ReferralState) : 'awaiting';
  const settled: ReferralRow = {
    order_id: next.order_id,
    coupon_id: next.coupon_id,
    user_id: next.user_id,
    via: next.via,
    rates: next.rates,
    day: next.day,
    status: next.status,
    commission: next.commission,
    state,
    awaiting: state === 'awaiting' ? next.commission : 0,
    granted: state === 'granted' ? next.commission : 0,
    release_at: releaseAt,
    counted: next.counted,
    sales: next.sales,
    discount: next.discount,
    shipping: next.shipping,
  };
  await postDifference(tx, site, before, settled, sending);
  await saveReferral(tx, settled);
  await tellReferral(tx, site, before, settled, sending);
  for (const follow of site.registry.contributions(referralFollowers)) {
    await follow(tx, site, { before, after: settled, base }, sending);
  }
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

async function postDifference(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs }: Sending,
): Promise<void> {
  const entry = {
    couponId: after.coupon_id,
    kind: 'order' as const,
    orderId: after.order_id,
    userId: actorId,
    note: `Order ${after.order_id}: ${after.status}`,
    nowMs,
  };
  await postEarnings(tx, before, after, entry);
  await emitCommission(tx, site, {
    couponId: after.coupon_id,
    ownerId: after.user_id,
    orderId: after.order_id,
    amountMinor: after.granted - (before?.granted ?? 0),
    note: entry.note,
    actorId,
    nowMs,
  });
}

async function tellReferral(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
  { actorId, nowMs }: Sending,
): Promise<void> {
  const reversed = before !== undefined && before.state !== 'void' && after.state === 'void';
  const event = !before ? referralCreated : reversed ? referralReversed : referralUpdated;
  const commission = site.currency.toMajor(after.commission);
  await emit(tx, event, {
    objectId: after.order_id,
    userId: actorId,
    info: `Order ${after.order_id} (${after.status}): commission ${commission} ${site.currency.code} for coupon ${after.coupon_id}.`,
    data: {
      order_id: after.order_id,
      coupon_id: after.coupon_id,
      user_id: after.user_id,
      total: site.currency.toMajor(after.sales),
      commission,
      status: after.status,
    },
    nowMs,
  });
}
