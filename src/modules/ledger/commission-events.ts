import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { CurrencyCode, Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';

const CommissionData = Type.Object({
  coupon_id: Type.Integer(),
  user_id: Nullable(Type.Integer()),
  order_id: Nullable(Type.Integer()),
  amount: Type.Number(),
  currency: CurrencyCode,
  note: Type.String(),
});

const exampleCommission = {
  coupon_id: 12,
  user_id: 7,
  order_id: 1042,
  amount: 12.5,
  currency: 'USD',
  note: 'Order 1042: completed',
};

export const commissionAdded = defineEvent(
  'commission.added',
  'Commission became payable.',
  CommissionData,
  {
    id: 48,
    timestamp: '2026-01-24T16:41:30.077Z',
    data: exampleCommission,
  },
  'coupon',
);

export const commissionRemoved = defineEvent(
  'commission.removed',
  'Payable commission was taken back.',
  CommissionData,
  {
    id: 53,
    timestamp: '2026-01-28T08:12:55.630Z',
    data: { ...exampleCommission, order_id: 1038, amount: 8, note: 'Order 1038: cancelled' },
  },
  'coupon',
);

/** Emits a change of the payable commission; an amount of zero emits nothing. */
export function emitCommission(
  tx: Transaction,
  site: Site,
  change: {
    couponId: number;
    ownerId: number | null;
    orderId: number | null;
    amountMinor: number;
    note: string;
    actorId: number;
    nowMs: number;
  },
): void {
  if (change.amountMinor === 0) return;
  const added = change.amountMinor > 0;
  const amount = site.currency.toMajor(Math.abs(change.amountMinor));
  emit(tx, added ? commissionAdded : commissionRemoved, {
    objectId: change.couponId,
    userId: change.actorId,
    info: `Commission of ${amount} ${site.currency.code} ${added ? 'added to' : 'taken from'} coupon ${change.couponId}.`,
    data: {
      coupon_id: change.couponId,
      user_id: change.ownerId,
      order_id: change.orderId,
      amount,
      currency: site.currency.code,
      note: change.note,
    },
    nowMs: change.nowMs,
  });
}
