import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { CurrencyCode, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { CouponRow } from './coupon-store.ts';

export const balanceOpen = defineError(
  'svc_api_balance_open',
  409,
  'The coupon has an unpaid balance or an open payout. Settle it first, or send move_balance: true.',
);

/** The balance that moved to another affiliate with its coupon. */
export const MovedBalanceSchema = Type.Object(
  {
    from_user_id: Nullable(Type.Integer({ description: 'The affiliate that had it before.' })),
    unpaid_commission: Type.Number(),
    pending_payout_commission: Type.Number({ description: 'In payouts that are under way.' }),
    currency: CurrencyCode,
  },
  { description: 'Where money changed hands with the coupon: whose it was, and how much.' },
);
export type MovedBalance = Static<typeof MovedBalanceSchema>;

/** Orders are credited to coupons under this lock: single ones share it, sets of orders hold it alone. */
export const CREDITING_LOCK = 'orders';

/**
 * Keeps the orders out that read the owner of a coupon before it changes and would credit it after.
 * Taken before any other lock, as the orders do.
 */
export function lockOwners(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK);
}

/**
 * What changes hands when the owner of a coupon changes; nothing where there is no money on it. Money
 * moves only where the caller says so: an affiliate must not lose what it earned by a slip.
 */
export function balanceToMove(
  site: Site,
  coupon: CouponRow,
  { isAllowed }: { isAllowed: boolean },
): MovedBalance | undefined {
  if (coupon.unpaid === 0 && coupon.pending_payout === 0) return undefined;
  const { currency } = site;
  const unpaid = currency.toMajor(coupon.unpaid);
  const pendingPayout = currency.toMajor(coupon.pending_payout);
  if (!isAllowed) {
    throw new ApiError(balanceOpen, {
      message:
        `The coupon has ${unpaid} ${currency.code} unpaid and ${pendingPayout} ${currency.code} in ` +
        'open payouts. Settle them first, or send move_balance: true.',
      data: {
        unpaid_commission: unpaid,
        pending_payout_commission: pendingPayout,
        currency: currency.code,
      },
    });
  }
  return {
    from_user_id: coupon.user_id,
    unpaid_commission: unpaid,
    pending_payout_commission: pendingPayout,
    currency: currency.code,
  };
}
