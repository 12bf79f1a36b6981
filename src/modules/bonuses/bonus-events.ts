import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { CurrencyCode } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import type { Payment } from './tables.ts';

const BonusData = Type.Object({
  bonus_id: Type.Integer({ description: 'The bonus.' }),
  user_id: Type.Integer({ description: 'The affiliate.' }),
  coupon_id: Type.Integer({ description: 'The coupon whose balance it changes.' }),
  amount: Type.Number(),
  currency: CurrencyCode,
  reason: Type.String({ description: 'Why, in the language of the site.' }),
});

const example = {
  bonus_id: 3,
  user_id: 7,
  coupon_id: 12,
  amount: 50,
  currency: 'USD',
  reason: 'Bonus Autumn: $1,000.00 of sales in November 2026 reached',
};

export const bonusReached = defineEvent(
  'bonus.reached',
  'An affiliate reached a bonus. The amount is held for `commission.delay_days`, then `commission.added` follows.',
  BonusData,
  { id: 160, timestamp: '2026-11-17T10:14:05.402Z', data: example },
  'bonus',
);

export const bonusReversed = defineEvent(
  'bonus.reversed',
  'A bonus was taken back while it was held, because its target is no longer reached.',
  BonusData,
  {
    id: 164,
    timestamp: '2026-11-19T08:40:12.077Z',
    data: { ...example, reason: `${example.reason}. Taken back: it is no longer reached` },
  },
  'bonus',
);

/** Emits the event of a payment that was made or taken back just now. */
export function emitPayment(tx: Transaction, site: Site, payment: Payment, nowMs: number): void {
  const { bonus_id, user_id, coupon_id, reason } = payment;
  const amount = site.currency.toMajor(payment.amount);
  const isReversed = payment.state === 'reversed';
  emit(tx, isReversed ? bonusReversed : bonusReached, {
    objectId: bonus_id,
    userId: 0,
    info: `${amount} ${site.currency.code} ${isReversed ? 'taken from' : 'for'} affiliate ${user_id}. ${reason}`,
    data: { bonus_id, user_id, coupon_id, amount, currency: site.currency.code, reason },
    nowMs,
  });
}
