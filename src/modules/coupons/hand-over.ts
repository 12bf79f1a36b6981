import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { Point } from '../../kernel/declare/point.ts';
import { CurrencyCode, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { CouponRow } from './coupon-rows.ts';

export const balanceOpen = defineError(
  'svc_api_balance_open',
  409,
  'The coupon has an open balance. Send move_balance: true if it goes to the new affiliate, false if it stays.',
);

/** The balance that moved to another affiliate with its coupon. */
export const MovedBalanceSchema = Type.Object(
  {
    from_user_id: Nullable(Type.Integer({ description: 'The affiliate that had it before.' })),
    unpaid_commission: Type.Number(),
    pending_order_commission: Type.Number({ description: 'Of orders not yet completed, or held.' }),
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
 * Moves what is unpaid and awaiting on a coupon to the account of its next affiliate. Resolves to what it moved, in
 * minor units. The caller has locked the coupon.
 */
export type HandOver = (
  tx: Transaction,
  site: Site,
  coupon: CouponRow,
  change: { readonly to: number | null; readonly actorId: number; readonly nowMs: number },
) => Promise<{ readonly unpaid: number; readonly awaiting: number }>;

export const handOvers = new Point<HandOver>('coupons.hand-overs');

/** Throws while money is open: whose it is afterwards is for the caller to say. */
export function requireNothingOpen({ currency }: Site, coupon: CouponRow): void {
  const { unpaid, awaiting, pending_payout } = coupon;
  if (unpaid === 0 && awaiting === 0 && pending_payout === 0) return;
  const open = {
    unpaid_commission: currency.toMajor(unpaid),
    pending_order_commission: currency.toMajor(awaiting),
    pending_payout_commission: currency.toMajor(pending_payout),
  };
  const amount = (major: number) => `${major} ${currency.code}`;
  throw new ApiError(balanceOpen, {
    message:
      `The coupon has ${amount(open.unpaid_commission)} unpaid, ${amount(open.pending_order_commission)} awaiting and ` +
      `${amount(open.pending_payout_commission)} in open payouts. Send move_balance: true if what is unpaid and ` +
      'awaiting goes to the new affiliate, false if it stays. Payouts stay in any case.',
    data: { ...open, currency: currency.code },
  });
}

/** Moves the money of a coupon to its next affiliate; undefined if there is none to move. */
export async function moveMoney(
  tx: Transaction,
  site: Site,
  coupon: CouponRow,
  change: Parameters<HandOver>[3],
): Promise<MovedBalance | undefined> {
  const sums = { unpaid: 0, awaiting: 0 };
  for (const move of site.registry.contributions(handOvers)) {
    const moved = await move(tx, site, coupon, change);
    sums.unpaid += moved.unpaid;
    sums.awaiting += moved.awaiting;
  }
  if (sums.unpaid === 0 && sums.awaiting === 0) return undefined;
  // Both accounts have it before the coupon has its next affiliate.
  await tx.flush();
  return {
    from_user_id: coupon.user_id,
    unpaid_commission: site.currency.toMajor(sums.unpaid),
    pending_order_commission: site.currency.toMajor(sums.awaiting),
    currency: site.currency.code,
  };
}
