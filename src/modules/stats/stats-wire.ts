import Type from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { orderStatuses, type CouponFigures } from '../orders/index.ts';

/** Where figures come from. */
export const sources = ['snapshot', 'cache', 'live', 'throttled'] as const;

const figureSchemas = {
  orders_count: Type.Integer(),
  total_sales: Type.Number({ description: 'Net of refunds.' }),
  total_discount: Type.Number(),
  total_shipping: Type.Number(),
  total_commission: Type.Number({ description: 'Of its own referrals.' }),
  upline_commission: Type.Number({
    description: 'Shares of the referrals of affiliates below; 0 without levels.',
  }),
};

const balanceSchemas = {
  unpaid_commission: Type.Number({ description: "Today's, whatever the range." }),
  pending_order_commission: Type.Number(),
  pending_payout_commission: Type.Number(),
};

export const CouponStatsSchema = Type.Object(
  {
    coupon_id: Type.Integer(),
    code: Type.String(),
    from: Nullable(Type.String()),
    to: Nullable(Type.String()),
    source: StringEnum(sources),
    code_ambiguous: Type.Boolean({ description: 'Another coupon has the same code.' }),
    ...figureSchemas,
    status_counts: Type.Object(
      Object.fromEntries(orderStatuses.map((status) => [status, Type.Integer()])),
    ),
    last_refreshed: Nullable(LocalTime('When it was last rebuilt from order history.')),
    ...balanceSchemas,
  },
  { $id: 'CouponStats' },
);

export const AffiliateStatsSchema = Type.Object(
  {
    user_id: Type.Integer(),
    from: Nullable(Type.String()),
    to: Nullable(Type.String()),
    source: StringEnum(sources),
    totals: Type.Object({ ...figureSchemas, ...balanceSchemas }),
    coupons: Type.Array(Type.Object({ id: Type.Integer(), code: Type.String(), ...figureSchemas })),
  },
  { $id: 'AffiliateStats' },
);

type Sums = Pick<
  CouponFigures,
  | 'orders_count'
  | 'total_sales'
  | 'total_discount'
  | 'total_shipping'
  | 'total_commission'
  | 'upline_commission'
>;

export function toFigures(sums: Sums, { currency }: Site) {
  return {
    orders_count: sums.orders_count,
    total_sales: currency.toMajor(sums.total_sales),
    total_discount: currency.toMajor(sums.total_discount),
    total_shipping: currency.toMajor(sums.total_shipping),
    total_commission: currency.toMajor(sums.total_commission),
    upline_commission: currency.toMajor(sums.upline_commission),
  };
}

export function toOpenBalances(
  row: { unpaid: number; awaiting: number; pending_payout: number },
  { currency }: Site,
) {
  return {
    unpaid_commission: currency.toMajor(row.unpaid),
    pending_order_commission: currency.toMajor(row.awaiting),
    pending_payout_commission: currency.toMajor(row.pending_payout),
  };
}
