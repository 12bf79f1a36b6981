import Type from 'typebox';
import { defineEvent } from '../../kernel/event.ts';
import { CurrencyCode, Nullable } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import type { GatheredEvents } from '../events/index.ts';

const CommissionData = Type.Object({
  coupon_id: Type.Integer(),
  user_id: Nullable(Type.Integer()),
  order_id: Nullable(Type.Integer()),
  amount: Type.Number(),
  currency: CurrencyCode,
  note: Type.String(),
});

export const commissionAdded = defineEvent(
  'commission.added',
  'Commission became payable.',
  CommissionData,
);

export const commissionRemoved = defineEvent(
  'commission.removed',
  'Payable commission was taken back.',
  CommissionData,
);

/** Tells of a change of what is payable; a change of nothing is not told. */
export function emitCommission(
  events: GatheredEvents,
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
  events.emit(added ? commissionAdded : commissionRemoved, {
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
