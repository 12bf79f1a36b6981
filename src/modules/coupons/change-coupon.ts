import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import {
  checkDiscount,
  checkRates,
  discountFields,
  rateFields,
  toDiscountColumn,
  toRateColumns,
} from '../groups/index.ts';
import { invalidUser } from '../users/index.ts';
import type { ChangedCouponField } from './coupon-events.ts';
import { lockCoupon, updateCoupon, type CouponChange } from './coupon-rows.ts';
import { CouponSchema, toCoupon } from './coupon-wire.ts';
import { requireAssignable, requireCouponToChange, emitCouponChange } from './coupon.ts';
import {
  balanceOpen,
  lockOwners,
  moveMoney,
  requireNothingOpen,
  type MovedBalance,
} from './hand-over.ts';
import { couponStatuses } from './tables.ts';

/** The columns that can change, with their names in the API. */
const fields: Record<keyof CouponChange, ChangedCouponField> = {
  user_id: 'user_id',
  status: 'status',
  percent: 'percent_override',
  fixed_per_order: 'fixed_per_order',
  fixed_per_product: 'fixed_per_product',
  discount: 'discount',
};

export const changeCoupon = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/coupons/{id}',
  summary: 'Assign a coupon, change its rates, enable or disable it',
  description:
    'New rates apply to new orders only. A coupon with an open balance changes its affiliate only with `move_balance`. ' +
    'What a former affiliate keeps is in its own balance and is paid by `POST /withdrawals`; payouts stay with the ' +
    'affiliate that they were requested for.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The coupon.') }),
  body: Type.Object(
    {
      user_id: Type.Optional(Nullable(Id('The affiliate it is assigned to; null for none.'))),
      status: Type.Optional(
        StringEnum(couponStatuses, {
          description: 'A disabled coupon earns nothing on new orders.',
        }),
      ),
      move_balance: Type.Optional(
        Type.Boolean({
          description:
            'True if what is unpaid and awaiting on the coupon goes to its new affiliate, with the orders that it is ' +
            'made of; false if it stays with the former one. Needed if there is any. A debt always stays.',
        }),
      ),
      ...rateFields,
      ...discountFields,
    },
    { $id: 'ChangeCoupon' },
  ),
  example: {
    body: { percent_override: 12.5 },
    response: {
      commission: {
        percent: 12.5,
        percent_override: 12.5,
        fixed_per_order: null,
        fixed_per_product: null,
      },
    },
  },
  response: CouponSchema,
  errors: [generalErrors.notFound, invalidUser, balanceOpen],
  check(input, errors, site) {
    checkRates(input, errors, site);
    checkDiscount(input, errors, site);
  },
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    if (input.user_id !== undefined) await lockOwners(db);
    await lockCoupon(db, id);
    const before = await requireCouponToChange(db, id);
    const requested: CouponChange = {
      ...before,
      ...toRateColumns(input, site.currency),
      ...toDiscountColumn(input),
      ...(input.user_id !== undefined && { user_id: input.user_id }),
      ...(input.status !== undefined && { status: input.status }),
    };
    // `Object.keys` types the keys of `fields` as plain strings.
    const changed = (Object.keys(fields) as (keyof CouponChange)[]).filter(
      (name) => requested[name] !== before[name],
    );
    if (changed.length === 0) return toCoupon(db, site, caller, before);

    let moved: MovedBalance | undefined;
    if (changed.includes('user_id')) {
      await requireAssignable(db, requested.user_id);
      if (input.move_balance === undefined) requireNothingOpen(site, before);
      if (input.move_balance) {
        const change = { to: requested.user_id, actorId: actorId(caller), nowMs };
        moved = await moveMoney(db, site, before, change);
      }
    }
    const after = await updateCoupon(db, before, requested, nowMs);
    const names = changed.map((name) => fields[name]);
    await emitCouponChange(db, site, caller, after, names, nowMs, moved);
    return toCoupon(db, site, caller, after);
  },
});
