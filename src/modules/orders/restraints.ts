import type { Reader, Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { PreparedOrder } from './order-input.ts';
import type { ReferralKey, ReferralRow } from './order-rows.ts';

/**
 * The `release_at` of a commission that is held until a person decides: the last instant that a date can have. The
 * referral is payable by its order, so steps of rewards count it, and no job grants it.
 */
export const UNTIL_DECIDED = 8_640_000_000_000_000;

/** Whether the commission is held until a person decides. */
export function isInReview({ release_at }: Pick<ReferralRow, 'release_at'>): boolean {
  return release_at === UNTIL_DECIDED;
}

/** When a held commission is granted; null if it is not held, or if a person decides. */
export function releaseDateOf(referral: Pick<ReferralRow, 'release_at'>): number | null {
  return isInReview(referral) ? null : referral.release_at;
}

/** Keeps commission from being granted, whatever its order says. It knows what the referral would be otherwise. */
export interface Restraint {
  /** A stored referral as it would be without the restraint. */
  free(stored: ReferralRow): ReferralRow;
  /** What to store instead of a referral as its order makes it. */
  restrain(free: ReferralRow): ReferralRow;
}

/** Reads the restraints of orders, once for all referrals that a transaction settles. */
export type ReadRestraints = (
  tx: Transaction,
  site: Site,
  orderIds: ReadonlySet<number>,
) => Promise<Restraint>;

export const restraints = new Point<ReadRestraints>('orders.restraints');

/** A referral that an order is about to create. */
export interface NewReferral extends Pick<
  ReferralRow,
  'order_id' | 'coupon_id' | 'user_id' | 'click_id'
> {
  /** The referral of the first payment that the order renews. */
  readonly renews: ReferralKey | undefined;
}

/** What becomes of an affiliate's own order, where affiliates do not earn on their own orders. */
export interface OwnOrderPolicy {
  /** Whether it earns nothing at once. */
  rejects(site: Site): boolean;
  /** Whether the store's id of the customer counts as well, which costs a statement. */
  comparesIds(site: Site): boolean;
}

export const ownOrderPolicy = new Point<OwnOrderPolicy>('orders.own-order-policy');

export function comparesIds(site: Site): boolean {
  return site.registry.contributions(ownOrderPolicy).some((policy) => policy.comparesIds(site));
}

/** Runs for each new referral of an order that counts before it is settled, and may restrain it. */
export type ReferralCheck = (
  order: PreparedOrder,
  referral: NewReferral,
  ownerEmail: string,
  nowMs: number,
) => void;

/** What the new referrals of a transaction can depend on. */
export interface CheckScope {
  readonly orders: readonly PreparedOrder[];
  readonly affiliateIds: ReadonlySet<number>;
  /** The clicks that they may be credited to. */
  readonly clickIds: ReadonlySet<number>;
  /** The referrals of first payments that they may renew. */
  readonly renewed: readonly ReferralKey[];
}

/** Reads what the check needs, once for all orders of a transaction. */
export type PrepareReferralCheck = (
  tx: Transaction,
  site: Site,
  scope: CheckScope,
) => Promise<ReferralCheck>;

/** Those of add-ons that are switched off run as well: they begin nothing new, and go on with what they hold. */
export const referralChecks = new Point<PrepareReferralCheck>('orders.referral-checks');

/** Finds the orders whose commission the store has rejected, by coupon. */
type FindRejected = (db: Reader, orderIds: readonly number[]) => Promise<readonly ReferralKey[]>;

export const rejectedReferrals = new Point<FindRejected>('orders.rejected-referrals');

/** The rows among those of a list that earn nothing because the store has rejected them. */
export async function findRejected<R extends ReferralKey & Pick<ReferralRow, 'state'>>(
  db: Reader,
  site: Site,
  rows: readonly R[],
): Promise<ReadonlySet<R>> {
  const points = site.registry.allContributions(rejectedReferrals);
  const voids = rows.filter(({ state }) => state === 'void');
  if (points.length === 0 || voids.length === 0) return new Set();
  const ids = [...new Set(voids.map(({ order_id }) => order_id))];
  const found = (await Promise.all(points.map((find) => find(db, ids)))).flat();
  return new Set(
    voids.filter(({ order_id, coupon_id }) =>
      found.some((one) => one.order_id === order_id && one.coupon_id === coupon_id),
    ),
  );
}
