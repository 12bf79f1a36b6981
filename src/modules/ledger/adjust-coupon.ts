import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { lockCoupon, requireOwnCoupon } from '../coupons/index.ts';
import { emitCommission } from './commission-events.ts';
import { listEntries } from './ledger-rows.ts';
import { EntrySchema, toEntry } from './ledger-wire.ts';
import { post } from './ledger.ts';

export const adjustCoupon = operation({
  method: 'POST',
  namespace: 'store',
  path: '/coupons/{id}/adjustments',
  summary: 'Add or remove commission manually',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The coupon.') }),
  body: Type.Object(
    {
      amount: Type.Number({ description: 'Positive or negative, not zero.' }),
      note: Type.String({ minLength: 1, maxLength: 500, description: 'Why.' }),
    },
    { $id: 'AdjustCoupon' },
  ),
  example: { body: { amount: 20, note: 'Bonus for January' } },
  status: 201,
  response: EntrySchema,
  errors: [generalErrors.notFound],
  check({ amount }, errors, { currency }) {
    if (amount === undefined || currency.toMinor(amount)) return;
    errors.invalid['amount'] =
      `must not be zero or too large, with at most ${currency.decimals} decimals`;
  },
  async handle({ db, site, caller, nowMs }, { id, amount, note }) {
    // The owner of the coupon must not change before the money is posted.
    await lockCoupon(db, id);
    const coupon = await requireOwnCoupon(db, caller, id);
    const minor = site.currency.toMinor(amount)!;
    post(db, {
      couponId: id,
      ownerId: coupon.user_id,
      from: 'earned',
      to: 'unpaid',
      amount: minor,
      kind: 'adjustment',
      orderId: null,
      userId: actorId(caller),
      note,
      nowMs,
    });
    emitCommission(db, site, {
      couponId: id,
      ownerId: coupon.user_id,
      orderId: null,
      amountMinor: minor,
      note,
      actorId: actorId(caller),
      nowMs,
    });
    // The response is the entry, with its id and the balances after it.
    await db.flush();
    const [entry] = await listEntries(db, { coupon_id: id, limit: 1, offset: 0 });
    return toEntry(entry!, site);
  },
});
