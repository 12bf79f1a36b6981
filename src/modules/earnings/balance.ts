import type { CouponRow } from '../coupons/index.ts';
import type { Hold } from '../orders/index.ts';

/**
 * What an affiliate has earned and where that money is, in minor units. For a coupon with the ledger pools unpaid,
 * pending payout and paid:
 *
 *   earned     = on_hold + unpaid + pending payout + paid
 *   available  = unpaid, where it is positive
 *   taken_back = −unpaid, where it is negative: commission was paid out, and its order was refunded afterwards
 *   on_its_way = pending payout
 *
 * so that `earned = on_hold + available + on_its_way + paid − taken_back` holds for every coupon, and for sums of
 * coupons. Payouts are per coupon: what one coupon owes does not reduce what another one can pay out.
 */
export interface Balance {
  earned: number;
  on_hold: number;
  available: number;
  on_its_way: number;
  paid: number;
  taken_back: number;
  /** Not earned yet: commission of orders that are not completed. */
  awaiting: number;
  /** Held until the store has decided about it: not earned before that. */
  in_review: number;
}

type Pools = Pick<CouponRow, 'unpaid' | 'awaiting' | 'pending_payout' | 'paid'>;

/**
 * @param held The part of the pool `awaiting` that is held back for a time.
 * @param inReview The part that is held until the store decides.
 */
export function balanceOf(
  { unpaid, awaiting, pending_payout, paid }: Pools,
  held: number,
  inReview: number,
): Balance {
  return {
    earned: held + unpaid + pending_payout + paid,
    on_hold: held,
    available: Math.max(unpaid, 0),
    on_its_way: pending_payout,
    paid,
    // Not `-unpaid`, which is -0 for a balance of zero.
    taken_back: Math.max(0 - unpaid, 0),
    awaiting: awaiting - held - inReview,
    in_review: inReview,
  };
}

export function addBalances(balances: readonly Balance[]): Balance {
  return mapBalance((name) => balances.reduce((total, one) => total + one[name], 0));
}

/** A balance with every amount computed from its name. */
export function mapBalance(amountOf: (name: keyof Balance) => number): Balance {
  return {
    earned: amountOf('earned'),
    on_hold: amountOf('on_hold'),
    available: amountOf('available'),
    on_its_way: amountOf('on_its_way'),
    paid: amountOf('paid'),
    taken_back: amountOf('taken_back'),
    awaiting: amountOf('awaiting'),
    in_review: amountOf('in_review'),
  };
}

/**
 * The holds that fit into the pool `awaiting` of a coupon. Both are read by two statements: a commission that was
 * granted in between is no longer in the pool. The earliest holds are granted first, so the latest ones are kept.
 */
export function holdsWithin(awaiting: number, holds: readonly Hold[]): Hold[] {
  let left = awaiting;
  return holds
    .toReversed()
    .map((hold) => {
      const amount = Math.min(hold.amount, Math.max(left, 0));
      left -= amount;
      return { ...hold, amount };
    })
    .filter(({ amount }) => amount > 0)
    .toReversed();
}
