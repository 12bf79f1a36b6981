import Type from 'typebox';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { attributionGroup, commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { defineManagerSetting, defineMoneySetting, inGroup } from '../../kernel/declare/setting.ts';

const AMOUNT_MAX = 1_000_000;

export const commissionPercent = defineMoneySetting(
  'commission.percent',
  Type.Number({ minimum: 0, maximum: 100 }),
  10,
  "Commission in percent of an order's base, unless the coupon or its group has its own rate.",
);

export const commissionFixedPerOrder = defineMoneySetting(
  'commission.fixed_per_order',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'Fixed commission per order, unless the coupon or its group has its own rate.',
);

export const commissionFixedPerProduct = defineMoneySetting(
  'commission.fixed_per_product',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'Fixed commission per product, unless the coupon or its group has its own rate.',
);

export const attributionParameter = defineManagerSetting(
  'attribution.parameter',
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }),
  'ref',
  "The query parameter of the store's URL that contains the coupon code.",
);

export const attributionLink = defineManagerSetting(
  'attribution.link',
  StringEnum(['redirect', 'store']),
  'redirect',
  'Where `referral_url` leads: `redirect` to `/r/{code}` here, which records the click and redirects to ' +
    'the store; `store` directly to the store, which then records clicks or sends `referral_code` itself.',
);

export const couponSettings = [
  ...inGroup(commissionGroup, {
    'Commission in percent': commissionPercent,
    'Fixed amount per order': commissionFixedPerOrder,
    'Fixed amount per product': commissionFixedPerProduct,
  }),
  ...inGroup(attributionGroup, {
    'Parameter of referral links': attributionParameter,
    'Where referral links lead': attributionLink,
  }),
];
