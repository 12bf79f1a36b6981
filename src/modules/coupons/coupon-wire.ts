import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import type { figureColumns } from '../../db/statements/columns.ts';
import type { Caller, Person } from '../../kernel/declare/caller.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { discountSchemas, rateSchemas, toDiscount, toRates } from '../groups/index.ts';
import { findUser, toPerson, toUser, UserSchema } from '../users/index.ts';
import type { CouponDetails, CouponRow, ListedCoupon, ShownCoupon } from './coupon-rows.ts';
import { choosePercent, effectiveRates } from './effective-rates.ts';
import { referralUrl } from './referral-url.ts';
import { couponStatuses } from './tables.ts';

export const CODE_LENGTH_MAX = 50;

/** Codes are not identifiers: duplicates are allowed. */
export const CouponCode = Type.String({
  pattern: '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]{1,50}$',
  examples: ['SAVE10'],
  description: 'At most 50 characters, without spaces.',
});

/** The balances of one coupon, or the sums over several. */
export const balanceSchemas = {
  unpaid_commission: Type.Number({ description: 'Commission that can be paid out.' }),
  pending_order_commission: Type.Number({ description: 'Of orders not yet completed.' }),
  pending_payout_commission: Type.Number({ description: 'In payouts that are under way.' }),
  paid_commission: Type.Number({ description: 'Commission that was paid out.' }),
};

const listFields = {
  id: Type.Integer({ description: 'The id of the coupon, by which it is addressed.' }),
  code: Type.String({
    description: 'The code that customers enter. Several coupons may have the same code.',
  }),
  user_id: Nullable(
    Type.Integer({ description: 'The affiliate it is assigned to; null for none.' }),
  ),
  status: StringEnum(couponStatuses),
  date_created: LocalTime('When the coupon was created.'),
  ...balanceSchemas,
};

const couponExample = {
  id: 12,
  code: 'MAYA10',
  user_id: 7,
  status: 'active',
  date_created: '2026-01-13T09:14:40',
  unpaid_commission: 69,
  pending_order_commission: 12.5,
  pending_payout_commission: 0,
  paid_commission: 212.5,
};

export const figuresExample = {
  orders_count: 24,
  total_sales: 2940,
  total_discount: 0,
  total_shipping: 0,
  total_commission: 294,
  upline_commission: 0,
};

/** The balances of a new coupon, for examples. */
export const noBalances = {
  unpaid_commission: 0,
  pending_order_commission: 0,
  pending_payout_commission: 0,
  paid_commission: 0,
};

export const noFigures = {
  ...figuresExample,
  orders_count: 0,
  total_sales: 0,
  total_commission: 0,
  last_refreshed: null,
};

/** One coupon as lists show it. */
export const CouponListSchema = Type.Object(listFields, {
  $id: 'Coupon',
  examples: [couponExample],
});

export const CouponFiguresSchema = Type.Object(
  {
    orders_count: Type.Integer({ description: 'Referred orders.' }),
    total_sales: Type.Number({ description: 'The amount that customers paid, net of refunds.' }),
    total_discount: Type.Number({ description: 'Discounts in these orders.' }),
    total_shipping: Type.Number({ description: 'Shipping in these orders.' }),
    total_commission: Type.Number({ description: 'Of its own referrals.' }),
    upline_commission: Type.Number({
      description: 'Shares of the referrals of affiliates below; 0 without levels.',
    }),
    last_refreshed: Nullable(LocalTime('When the figures were last rebuilt from the orders.')),
  },
  { $id: 'CouponFigures', examples: [{ ...figuresExample, last_refreshed: null }] },
);

export const CouponSchema = Type.Object(
  {
    ...listFields,
    user: Nullable(UserSchema),
    commission: Type.Object(
      {
        percent: Type.Number({ description: 'The percentage that applies to new orders.' }),
        ...rateSchemas,
      },
      { description: 'The rates of new orders.' },
    ),
    ...discountSchemas,
    referral_url: Type.String({ description: 'The link that the affiliate shares.' }),
    stats: CouponFiguresSchema,
  },
  {
    $id: 'CouponDetails',
    examples: [
      {
        ...couponExample,
        user: { id: 7, display_name: 'Maya Ortiz', login: 'maya', email: 'maya@example.com' },
        commission: {
          percent: 10,
          percent_override: null,
          fixed_per_order: null,
          fixed_per_product: null,
        },
        discount: null,
        referral_url: 'https://partners.example/r/MAYA10',
        stats: { ...figuresExample, last_refreshed: null },
      },
    ],
  },
);

type BalancesRow = Pick<CouponRow, 'unpaid' | 'awaiting' | 'pending_payout' | 'paid'>;

/** What is not paid out yet. */
export function toOpenBalances(row: Omit<BalancesRow, 'paid'>, { currency }: Site) {
  return {
    unpaid_commission: currency.toMajor(row.unpaid),
    pending_order_commission: currency.toMajor(row.awaiting),
    pending_payout_commission: currency.toMajor(row.pending_payout),
  };
}

export function toBalances(row: BalancesRow, site: Site) {
  return { ...toOpenBalances(row, site), paid_commission: site.currency.toMajor(row.paid) };
}

/** Adds in minor units: sums of decimal fractions would drift. */
export function sumBalances(rows: readonly BalancesRow[]): BalancesRow {
  const sum = { unpaid: 0, awaiting: 0, pending_payout: 0, paid: 0 };
  for (const row of rows) {
    sum.unpaid += row.unpaid;
    sum.awaiting += row.awaiting;
    sum.pending_payout += row.pending_payout;
    sum.paid += row.paid;
  }
  return sum;
}

export function toCouponListItem(row: ListedCoupon, site: Site): Static<typeof CouponListSchema> {
  return {
    id: row.id,
    code: row.code,
    user_id: row.user_id,
    status: row.status,
    date_created: site.calendar.toLocal(row.created_at),
    ...toBalances(row, site),
  };
}

/** Sums over orders in minor units. */
export type Figures = Pick<CouponRow, (typeof figureColumns)[number]>;

export function toFigures(sums: Figures, { currency }: Site) {
  return {
    orders_count: sums.orders_count,
    total_sales: currency.toMajor(sums.total_sales),
    total_discount: currency.toMajor(sums.total_discount),
    total_shipping: currency.toMajor(sums.total_shipping),
    total_commission: currency.toMajor(sums.total_commission),
    upline_commission: currency.toMajor(sums.upline_commission),
  };
}

export function toCouponFigures(row: ShownCoupon, site: Site): Static<typeof CouponFiguresSchema> {
  return { ...toFigures(row, site), last_refreshed: site.calendar.toLocal(row.refreshed_at) };
}

export async function toCoupon(
  db: Reader,
  site: Site,
  caller: Caller,
  row: CouponRow,
): Promise<Static<typeof CouponSchema>> {
  const owner = row.user_id === null ? undefined : await findUser(db, row.user_id);
  const { percent } = await effectiveRates(db, site, row);
  return describeCoupon(site, caller, row, owner && toPerson(owner), percent.value);
}

/** The same from a row that one statement has joined with the owner and the group rate. */
export function toCouponOf(
  site: Site,
  caller: Caller,
  details: CouponDetails,
): Static<typeof CouponSchema> {
  const owner = details.user_id === null ? undefined : ownerOf(details);
  const percent = choosePercent(site, details, details.group_percent);
  return describeCoupon(site, caller, details, owner, percent);
}

function ownerOf(details: CouponDetails): Person {
  return {
    id: details.user_id!,
    login: details.login!,
    email: details.email!,
    displayName: details.display_name!,
    role: details.role!,
  };
}

function describeCoupon(
  site: Site,
  caller: Caller,
  row: ShownCoupon,
  owner: Person | undefined,
  percent: number,
): Static<typeof CouponSchema> {
  return {
    ...toCouponListItem(row, site),
    user: owner ? toUser(owner, caller) : null,
    commission: { percent, ...toRates(row, site.currency) },
    discount: toDiscount(row.discount),
    referral_url: referralUrl(site, row.code),
    stats: toCouponFigures(row, site),
  };
}
