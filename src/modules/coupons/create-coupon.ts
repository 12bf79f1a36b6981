import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable } from '../../kernel/declare/schemas.ts';
import {
  checkDiscount,
  checkRates,
  discountFields,
  rateFields,
  setsRates,
  toDiscountColumn,
  toRateColumns,
} from '../groups/index.ts';
import { invalidUser } from '../users/index.ts';
import { CouponCode, CouponSchema, noBalances, noFigures, toCoupon } from './coupon-wire.ts';
import { addCoupon, requireAssignable } from './coupon.ts';

export const createCoupon = operation({
  method: 'POST',
  namespace: 'store',
  path: '/coupons',
  summary: 'Create a coupon',
  description: 'Several coupons may have the same code; the id identifies a coupon.',
  access: 'admin',
  scope: 'write',
  proof: setsRates,
  body: Type.Object(
    {
      code: CouponCode,
      user_id: Type.Optional(Nullable(Id('The affiliate it is assigned to.'))),
      ...rateFields,
      ...discountFields,
    },
    { $id: 'CreateCoupon' },
  ),
  example: {
    body: { code: 'MAYA10', user_id: 7 },
    response: { ...noBalances, stats: noFigures },
  },
  status: 201,
  response: CouponSchema,
  errors: [invalidUser],
  check(input, errors, site) {
    checkRates(input, errors, site);
    checkDiscount(input, errors, site);
  },
  async handle({ db, site, caller, nowMs }, input) {
    const rates = toRateColumns(input, site.currency);
    const userId = input.user_id ?? null;
    await requireAssignable(db, userId);
    const row = await addCoupon(
      db,
      site,
      caller,
      { code: input.code, user_id: userId, rates, ...toDiscountColumn(input) },
      nowMs,
    );
    return toCoupon(db, site, caller, row);
  },
});
