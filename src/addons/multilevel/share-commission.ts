import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { GatheredEvents } from '../../modules/events/index.ts';
import { postEarnings } from '../../modules/ledger/index.ts';
import type { Following, ReferralFollower, ReferralRow } from '../../modules/orders/index.ts';
import { percentOf, roundedTimes, times } from '../../shared/money.ts';
import { shareAdded, shareRemoved } from './mla-events.ts';
import { percents, tiers } from './settings.ts';
import { listShares, saveShares, type ShareRow } from './share-store.ts';
import { findEarningUplines, type EarningUpline } from './upline-store.ts';

/**
 * What a referral earns for those above its affiliate. Who they are and what they get is decided when
 * the order comes in; from then on each share goes the way of the referral: it waits, is granted and
 * is taken back with it.
 */
export const shareCommission: ReferralFollower = {
  async begin(tx, site, { orderIds, affiliateIds }) {
    const [shares, uplines] = await Promise.all([
      listShares(tx, orderIds),
      findEarningUplines(tx, affiliateIds, site.settings.get(tiers)),
    ]);
    return new Sharing(site, shares, uplines);
  },
};

type FollowArguments = Parameters<Following['follow']>;

class Sharing implements Following {
  readonly #site: Site;
  /** By referral, nearest level first. */
  readonly #shares: Map<string, ShareRow[]>;
  readonly #uplines: Map<number, EarningUpline[]>;
  readonly #changed = new Set<string>();

  constructor(site: Site, shares: readonly ShareRow[], uplines: readonly EarningUpline[]) {
    this.#site = site;
    this.#shares = Map.groupBy(shares, keyOf);
    this.#uplines = Map.groupBy(uplines, (upline) => upline.below_id);
  }

  follow(...[{ before, after, base }, sending, changes]: FollowArguments): void {
    const { movements, events, figures } = changes;
    const key = keyOf(after);
    const shares = before ? this.#shares.get(key) : this.#newShares(after);
    if (!shares || shares.length === 0) return;
    const settled = shares.map((share) => {
      const amount =
        base === undefined ? share.amount : roundedTimes(1, times(base, percentOf(share.percent)));
      const next = {
        ...share,
        amount,
        awaiting: after.state === 'awaiting' ? amount : 0,
        granted: after.state === 'granted' ? amount : 0,
        day: after.day,
        counted: after.counted,
      };
      figures.moveShare(share.upline_coupon_id, countedShare(share), countedShare(next));
      const note = `Order ${after.order_id} (level ${share.tier}): ${after.status}`;
      postEarnings(movements, share, next, {
        couponId: share.upline_coupon_id,
        kind: 'order',
        orderId: after.order_id,
        userId: sending.actorId,
        note,
        nowMs: sending.nowMs,
      });
      tell(events, this.#site, next, next.granted - share.granted, note, sending);
      return next;
    });
    this.#shares.set(key, settled);
    this.#changed.add(key);
  }

  write(tx: Transaction): Promise<void> {
    const rows = [...this.#changed].flatMap((key) => this.#shares.get(key)!);
    return tx.runMany(saveShares, rows);
  }

  #newShares(referral: ReferralRow): ShareRow[] | undefined {
    const rates = this.#site.settings.get(percents);
    return this.#uplines
      .get(referral.user_id)
      ?.filter(({ tier }) => (rates[tier - 1] ?? 0) > 0)
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
      }));
  }
}

function countedShare({ day, counted, awaiting, granted }: ShareRow) {
  return { day, amount: counted * (awaiting + granted) };
}

function keyOf({ order_id, coupon_id }: { order_id: number; coupon_id: number }): string {
  return `${order_id} ${coupon_id}`;
}

function tell(
  events: GatheredEvents,
  site: Site,
  share: ShareRow,
  changeMinor: number,
  note: string,
  { actorId, nowMs }: { actorId: number; nowMs: number },
): void {
  if (changeMinor === 0) return;
  const amount = site.currency.toMajor(Math.abs(changeMinor));
  const added = changeMinor > 0;
  events.emit(added ? shareAdded : shareRemoved, {
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
