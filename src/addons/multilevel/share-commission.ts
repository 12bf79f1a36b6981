import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/site.ts';
import { emit } from '../../modules/events/index.ts';
import { postEarnings } from '../../modules/ledger/index.ts';
import type { ReferralFollower, ReferralRow } from '../../modules/orders/index.ts';
import { percentOf, roundedTimes, times } from '../../shared/money.ts';
import { shareAdded, shareRemoved } from './mla-events.ts';
import { percents, tiers } from './settings.ts';
import { listShares, saveShare, type ShareRow } from './share-store.ts';
import { findEarningUplines, findParent } from './upline-store.ts';

/**
 * What a referral earns for those above its affiliate. Who they are and what they get is decided when
 * the order comes in; from then on each share goes the way of the referral: it waits, is granted and
 * is taken back with it.
 */
export const shareCommission: ReferralFollower = async (tx, site, referral, sending) => {
  const { before, after, base } = referral;
  const shares = before
    ? await listShares(tx, after.order_id, after.coupon_id)
    : await newShares(tx, site, after);
  for (const share of shares) {
    const amount =
      base === undefined ? share.amount : roundedTimes(1, times(base, percentOf(share.percent)));
    const settled = {
      ...share,
      amount,
      awaiting: after.state === 'awaiting' ? amount : 0,
      granted: after.state === 'granted' ? amount : 0,
    };
    const note = `Order ${after.order_id} (level ${share.tier}): ${after.status}`;
    await postEarnings(tx, share, settled, {
      couponId: share.upline_coupon_id,
      kind: 'order',
      orderId: after.order_id,
      userId: sending.actorId,
      note,
      nowMs: sending.nowMs,
    });
    await saveShare(tx, settled);
    await tell(tx, site, settled, settled.granted - share.granted, note, sending);
  }
};

async function newShares(tx: Transaction, site: Site, referral: ReferralRow): Promise<ShareRow[]> {
  // Most have nobody above them, and one step in an index tells so.
  if ((await findParent(tx, referral.user_id)) === null) return [];
  const rates = site.settings.get(percents);
  const uplines = await findEarningUplines(tx, referral.user_id, site.settings.get(tiers));
  return uplines
    .filter(({ tier }) => (rates[tier - 1] ?? 0) > 0)
    .map(({ tier, user_id, coupon_id }) => ({
      order_id: referral.order_id,
      coupon_id: referral.coupon_id,
      tier,
      upline_id: user_id,
      upline_coupon_id: coupon_id,
      percent: String(rates[tier - 1]),
      amount: 0,
      awaiting: 0,
      granted: 0,
    }));
}

async function tell(
  tx: Transaction,
  site: Site,
  share: ShareRow,
  changeMinor: number,
  note: string,
  { actorId, nowMs }: { actorId: number; nowMs: number },
): Promise<void> {
  if (changeMinor === 0) return;
  const amount = site.currency.toMajor(Math.abs(changeMinor));
  const added = changeMinor > 0;
  await emit(tx, added ? shareAdded : shareRemoved, {
    objectId: share.upline_coupon_id,
    userId: actorId,
    info: `Commission of ${amount} ${site.currency.code} from level ${share.tier} ${added ? 'added to' : 'taken from'} coupon ${share.upline_coupon_id}.`,
    data: {
      coupon_id: share.upline_coupon_id,
      user_id: share.upline_id,
      order_id: share.order_id,
      amount,
      note,
    },
    nowMs,
  });
}
