import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { CurrencyCode, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { CouponRow } from './coupon-rows.ts';

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

/** Orders are credited under this lock: single orders share it, a batch of orders holds it exclusively. */
export const CREDITING_LOCK = 'orders';

/**
 * Waits for orders that have read the owner of a coupon and have not credited it yet, and blocks new
 * ones. It must be the first lock of the transaction, as it is for orders; another order could deadlock.
 */
export function lockOwners(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK);
}

/**
 * The balance that moves to the new owner of a coupon; undefined if the coupon has none. Money moves
 * only if the caller allows it, so that an affiliate does not lose its earnings by mistake.
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
