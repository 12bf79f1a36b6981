import type { Transaction } from '../../src/db/database.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { emit } from '../../src/modules/events/index.ts';
import { postEarnings } from '../../src/modules/ledger/index.ts';
import {
  isOwnPurchase,
  type ChangeContext,
  type PrepareReferralHook,
  type ReferralChange,
  type ReferralRow,
} from '../../src/modules/orders/index.ts';
import { moveShareFigures } from '../../src/modules/stats/index.ts';
import { percentOf, roundedTimes, times } from '../../src/shared/money.ts';
import { shareAdded, shareRemoved } from './multilevel-events.ts';
import { orderOf } from './order-of-referral.ts';
import { MULTILEVEL, percents, tiers } from './settings.ts';
import { listShares, saveShare, type ShareRow } from './share-rows.ts';
import { findEarningUplines, type EarningMember } from './upline-rows.ts';

/**
 * Shares the commission of a referral with the upline of its affiliate. Affiliates and percentages are
 * decided when the order is new; from then on each share follows the referral: it is awaiting, granted and
 * taken back with it, also while the add-on is off. Then only new shares are not made.
 */
export const shareCommission: PrepareReferralHook = async (tx, site, scope) => {
  const [shares, uplines] = await Promise.all([
    listShares(tx, scope.orderIds),
    site.registry.isOn(MULTILEVEL)
      ? findEarningUplines(tx, scope.affiliateIds, site.settings.get(tiers))
      : [],
  ]);
  const settlement = new ShareSettlement(tx, site, shares, uplines);
  return (change, context) => settlement.settle(change, context);
};

class ShareSettlement {
  readonly #tx: Transaction;
  readonly #site: Site;
  /** By referral, lowest tier first. */
  readonly #shares: Map<string, ShareRow[]>;
  readonly #uplines: Map<number, EarningMember[]>;

  constructor(
    tx: Transaction,
    site: Site,
    shares: readonly ShareRow[],
    uplines: readonly EarningMember[],
  ) {
    this.#tx = tx;
    this.#site = site;
    this.#shares = Map.groupBy(shares, keyOf);
    this.#uplines = Map.groupBy(uplines, (member) => member.below_id);
  }

  settle({ before, after, base }: ReferralChange, context: ChangeContext): void {
    const key = keyOf(after);
    const buyers = this.#buyers(after);
    const shares = before ? this.#shares.get(key) : this.#newShares(after, buyers);
    if (!shares || shares.length === 0) return;
    const tx = this.#tx;
    const settled = shares.map((share) => {
      const percent = buyers.has(share.upline_id) ? '0' : share.percent;
      const amount =
        base === undefined ? share.amount : roundedTimes(1, times(base, percentOf(percent)));
      const next = {
        ...share,
        percent,
        amount,
        awaiting: after.state === 'awaiting' ? amount : 0,
        granted: after.state === 'granted' ? amount : 0,
        day: after.day,
        counted: after.counted,
        release_at: after.release_at,
      };
      const account = { coupon_id: share.upline_coupon_id, user_id: share.upline_id };
      moveShareFigures(tx, account, countedShare(share), countedShare(next));
      const note = `Order ${after.order_id} (level ${share.tier}): ${after.status}`;
      postEarnings(tx, share, next, {
        couponId: share.upline_coupon_id,
        ownerId: share.upline_id,
        kind: 'order',
        orderId: after.order_id,
        userId: context.actorId,
        note,
        nowMs: context.nowMs,
      });
      emitShare(tx, this.#site, next, next.granted - share.granted, note, context);
      saveShare(tx, next);
      return next;
    });
    this.#shares.set(key, settled);
  }

  /** Those of the upline who bought themselves, as far as the order is new. */
  #buyers({ order_id, user_id }: ReferralRow): ReadonlySet<number> {
    const order = orderOf(this.#tx, order_id);
    const upline = (order && this.#uplines.get(user_id)) ?? [];
    const own = upline.filter(({ email }) => isOwnPurchase(this.#tx, this.#site, order!, email));
    return new Set(own.map((member) => member.user_id));
  }

  #newShares(referral: ReferralRow, buyers: ReadonlySet<number>): ShareRow[] | undefined {
    const rates = this.#site.settings.get(percents);
    return this.#uplines
      .get(referral.user_id)
      ?.filter(({ tier }) => (rates[tier - 1] ?? 0) > 0)
      .filter((member) => !buyers.has(member.user_id))
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
        day: referral.day,
        counted: referral.counted,
        release_at: referral.release_at,
      }));
  }
}

function countedShare({ day, counted, awaiting, granted }: ShareRow) {
  return { day, amount: counted * (awaiting + granted) };
}

function keyOf({ order_id, coupon_id }: { order_id: number; coupon_id: number }): string {
  return `${order_id} ${coupon_id}`;
}

function emitShare(
  tx: Transaction,
  site: Site,
  share: ShareRow,
  changeMinor: number,
  note: string,
  { actorId, nowMs }: ChangeContext,
): void {
  if (changeMinor === 0) return;
  const amount = site.currency.toMajor(Math.abs(changeMinor));
  const added = changeMinor > 0;
  emit(tx, added ? shareAdded : shareRemoved, {
    objectId: share.upline_coupon_id,
    userId: actorId,
    info: `Commission of ${amount} ${site.currency.code} from level ${share.tier} ${added ? 'added to' : 'taken from'} coupon ${share.upline_coupon_id}.`,
    data: {
      coupon_id: share.upline_coupon_id,
      user_id: share.upline_id,
      order_id: share.order_id,
      amount,
      currency: site.currency.code,
      note,
    },
    nowMs,
  });
}
