import Type from 'typebox';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { attributionGroup, commissionGroup } from '../../kernel/declare/setting-groups.ts';
import { defineMoneySetting, inGroup } from '../../kernel/declare/setting.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { DAY_MS } from '../../shared/durations.ts';

export const orderStatuses = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const;
/** Orders that can still be completed. */
export const openStatuses = ['pending', 'processing', 'on-hold'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const Statuses = Type.Array(StringEnum(orderStatuses), {
  uniqueItems: true,
  maxItems: orderStatuses.length,
});

export const countedStatuses = defineMoneySetting(
  'orders.counted_statuses',
  Statuses,
  ['processing', 'completed'],
  'Orders count in statistics while they have one of these statuses. A change also applies to existing orders.',
);

export const grantedStatuses = defineMoneySetting(
  'commission.granted_statuses',
  Statuses,
  ['completed'],
  'The commission of an order is payable in these statuses; in other counted statuses it is awaiting. A change neither grants nor takes back commission.',
);

const DELAY_DAYS_MAX = 365;
export const DELAY_MS_MAX = DELAY_DAYS_MAX * DAY_MS;

export const delayDays = defineMoneySetting(
  'commission.delay_days',
  Type.Integer({ minimum: 0, maximum: DELAY_DAYS_MAX }),
  0,
  'How many days a payable commission is held before it is granted.',
);

export const maxPerOrder = defineMoneySetting(
  'commission.max_per_order',
  Type.Number({ minimum: 0 }),
  0,
  'Maximum commission per order; 0 for no limit.',
);

export const beforeDiscount = defineMoneySetting(
  'commission.before_discount',
  Type.Boolean(),
  false,
  'Compute commission on prices before discount.',
);

export const includeShipping = defineMoneySetting(
  'commission.include_shipping',
  Type.Boolean(),
  false,
  'Shipping earns commission.',
);

export const includeTax = defineMoneySetting(
  'commission.include_tax',
  Type.Boolean(),
  false,
  'Tax earns commission.',
);

export const includeFees = defineMoneySetting(
  'commission.include_fees',
  Type.Boolean(),
  false,
  'Fees earn commission.',
);

export const productPercents = defineMoneySetting(
  'commission.product_percents',
  Type.Record(Type.String({ pattern: '^.{1,100}$' }), Type.Number({ minimum: 0, maximum: 100 }), {
    maxProperties: 10_000,
  }),
  {},
  'Percentages of single products, by product id; they take precedence over all other rates.',
);

export const renewals = defineMoneySetting(
  'commission.renewals',
  Type.String({ pattern: '^(once|always|[1-9][0-9]{0,2})$' }),
  'once',
  'Which payments of a subscription earn where no reward rule decides: "once" for the first one only, "always" for all, or a number of months, such as 12. A subscription keeps what applied to its first payment.',
);

export const allowSelf = defineMoneySetting(
  'attribution.allow_self',
  Type.Boolean(),
  false,
  'Affiliates earn commission on their own orders.',
);

export const lifetimeAttribution = defineMoneySetting(
  'attribution.lifetime',
  Type.Boolean(),
  false,
  'Credit later orders of a customer to the coupon of the first one.',
);

const lifetimeDays = defineMoneySetting(
  'attribution.lifetime_days',
  Type.Integer({ minimum: 0, maximum: 36_500 }),
  0,
  'For how many days after the first credited order a customer stays with the affiliate; 0 for ever. After that the next affiliate who brings the customer keeps them.',
);

export const lifetimeExtends = defineMoneySetting(
  'attribution.lifetime_extends',
  Type.Boolean(),
  false,
  'Each credited order of a customer starts the days of `attribution.lifetime_days` again.',
);

/** Until when a customer stays who was credited then; null if that is unknown: they stay for ever. */
export function stayEndsMs({ settings }: Site, creditedAtMs: number | null): number {
  const days = settings.get(lifetimeDays);
  return days === 0 || creditedAtMs === null ? Infinity : creditedAtMs + days * DAY_MS;
}

export const severalAffiliates = defineMoneySetting(
  'attribution.several',
  StringEnum(['each', 'first', 'share']),
  'each',
  'An order with coupons of several affiliates: "each" gives each of them a commission, "first" credits only the first coupon of the order, "share" gives each affiliate an equal part of the commission that the first coupon earns. Applies to new orders.',
);
export type Several = typeof severalAffiliates.default;

export const orderSettings = [
  ...inGroup(commissionGroup, {
    'Statuses that count as sales': countedStatuses,
    'Statuses that make commission payable': grantedStatuses,
    'Days that commission is held': delayDays,
    'Maximum per order': maxPerOrder,
    'Compute before discount': beforeDiscount,
    'Shipping earns commission': includeShipping,
    'Tax earns commission': includeTax,
    'Fees earn commission': includeFees,
    'Percentages of products': productPercents,
    'Renewals of subscriptions': renewals,
  }),
  ...inGroup(attributionGroup, {
    'Own orders earn commission': allowSelf,
    'Several affiliates on one order': severalAffiliates,
    'Customers stay with their first affiliate': lifetimeAttribution,
    'Days that customers stay': lifetimeDays,
    'Each order starts these days again': lifetimeExtends,
  }),
];
