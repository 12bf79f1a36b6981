import Type from 'typebox';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { defineManagerSetting } from '../../kernel/declare/setting.ts';

const AMOUNT_MAX = 1_000_000;

export const commissionPercent = defineManagerSetting(
  'commission.percent',
  Type.Number({ minimum: 0, maximum: 100 }),
  10,
  'Percent of the base that an order earns, where neither coupon nor group says otherwise.',
);

export const commissionFixedPerOrder = defineManagerSetting(
  'commission.fixed_per_order',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'A fixed amount for each order, where neither coupon nor group says otherwise.',
);

export const commissionFixedPerProduct = defineManagerSetting(
  'commission.fixed_per_product',
  Type.Number({ minimum: 0, maximum: AMOUNT_MAX }),
  0,
  'A fixed amount for each product, where neither coupon nor group says otherwise.',
);

export const attributionParameter = defineManagerSetting(
  'attribution.parameter',
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }),
  'ref',
  "The parameter of the store's address that carries the coupon code.",
);

export const attributionLink = defineManagerSetting(
  'attribution.link',
  StringEnum(['redirect', 'store']),
  'redirect',
  'Where `referral_url` leads: `redirect` to `/r/{code}` here, which records the click and goes on to ' +
    'the store; `store` straight to the store, which then records clicks or sends `referral_code` itself.',
);
