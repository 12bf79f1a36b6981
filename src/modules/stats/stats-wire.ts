import Type from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { figuresExample } from '../coupons/index.ts';
import { orderStatuses } from '../orders/index.ts';

/** The source of the figures. */
const sources = ['snapshot', 'cache', 'live', 'throttled'] as const;

const figureSchemas = {
  orders_count: Type.Integer({ description: 'Referred orders.' }),
  total_sales: Type.Number({ description: 'Net of refunds.' }),
  total_discount: Type.Number({ description: 'Discounts in these orders.' }),
  total_shipping: Type.Number({ description: 'Shipping in these orders.' }),
  total_commission: Type.Number({ description: 'Of its own referrals.' }),
  upline_commission: Type.Number({
    description: 'Shares of the referrals of affiliates below; 0 without the multilevel add-on.',
  }),
};

const balanceSchemas = {
  unpaid_commission: Type.Number({ description: 'Current balances, regardless of the range.' }),
  pending_order_commission: Type.Number({ description: 'Of orders not yet completed.' }),
  pending_payout_commission: Type.Number({ description: 'In payouts in progress.' }),
};

const rangeSchemas = {
  from: Nullable(Type.String({ description: 'The first day of the range; null for all time.' })),
  to: Nullable(Type.String({ description: 'The last day of the range; null for all time.' })),
  source: StringEnum(sources, {
    description: '`throttled`: a refresh was requested within a minute of the last one.',
  }),
};

const balancesExample = {
  unpaid_commission: 69,
  pending_order_commission: 12.5,
  pending_payout_commission: 0,
};

export const CouponStatsSchema = Type.Object(
  {
    coupon_id: Type.Integer({ description: 'The coupon.' }),
    code: Type.String({ description: 'Its code.' }),
    ...rangeSchemas,
    code_ambiguous: Type.Boolean({ description: 'Another coupon has the same code.' }),
    ...figureSchemas,
    status_counts: Type.Object(
      Object.fromEntries(orderStatuses.map((status) => [status, Type.Integer()])),
      { description: 'Number of orders by status.' },
    ),
    last_refreshed: Nullable(LocalTime('When it was last rebuilt from order history.')),
    ...balanceSchemas,
  },
  {
    $id: 'CouponStats',
    examples: [
      {
        coupon_id: 12,
        code: 'MAYA10',
        from: null,
        to: null,
        source: 'snapshot',
        code_ambiguous: false,
        ...figuresExample,
        status_counts: {
          ...Object.fromEntries(orderStatuses.map((status) => [status, 0])),
          processing: 1,
          completed: 23,
        },
        last_refreshed: null,
        ...balancesExample,
      },
    ],
  },
);

export const AffiliateStatsSchema = Type.Object(
  {
    user_id: Type.Integer({ description: 'The affiliate.' }),
    ...rangeSchemas,
    totals: Type.Object({ ...figureSchemas, ...balanceSchemas }),
    coupons: Type.Array(
      Type.Object({ id: Type.Integer(), code: Type.String(), ...figureSchemas }),
      {
        description: 'The same figures for each coupon.',
      },
    ),
  },
  {
    $id: 'AffiliateStats',
    examples: [
      {
        user_id: 7,
        from: null,
        to: null,
        source: 'snapshot',
        totals: { ...figuresExample, ...balancesExample },
        coupons: [{ id: 12, code: 'MAYA10', ...figuresExample }],
      },
    ],
  },
);
