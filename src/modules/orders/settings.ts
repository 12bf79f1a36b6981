import Type from 'typebox';
import { StringEnum } from '../../kernel/schemas.ts';
import { defineSetting } from '../../kernel/setting.ts';

export const orderStatuses = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const Statuses = Type.Array(StringEnum(orderStatuses), { uniqueItems: true });

export const countedStatuses = defineSetting(
  'orders.counted_statuses',
  Statuses,
  ['processing', 'completed'],
  'Orders count in statistics while they have one of these statuses.',
);

export const grantedStatuses = defineSetting(
  'commission.granted_statuses',
  Statuses,
  ['completed'],
  'The commission of an order is payable in these statuses; in the other counted ones it waits.',
);

export const delayDays = defineSetting(
  'commission.delay_days',
  Type.Integer({ minimum: 0, maximum: 365 }),
  0,
  'How many days a commission that is payable is held back first.',
);

export const maxPerOrder = defineSetting(
  'commission.max_per_order',
  Type.Number({ minimum: 0 }),
  0,
  'The most that one order earns; 0 is no limit.',
);

export const beforeDiscount = defineSetting(
  'commission.before_discount',
  Type.Boolean(),
  false,
  'Whether commission is computed on prices before discount.',
);

export const includeShipping = defineSetting(
  'commission.include_shipping',
  Type.Boolean(),
  false,
  'Whether shipping earns commission.',
);

export const includeTax = defineSetting(
  'commission.include_tax',
  Type.Boolean(),
  false,
  'Whether tax earns commission.',
);

export const includeFees = defineSetting(
  'commission.include_fees',
  Type.Boolean(),
  false,
  'Whether fees earn commission.',
);

export const productPercents = defineSetting(
  'commission.product_percents',
  Type.Record(Type.String({ pattern: '^\\d+$' }), Type.Number({ minimum: 0, maximum: 100 })),
  {},
  'Percentages of single products, by product id; they go before all other rates.',
);

export const allowSelf = defineSetting(
  'attribution.allow_self',
  Type.Boolean(),
  false,
  'Whether an affiliate earns on its own orders.',
);

export const lifetimeAttribution = defineSetting(
  'attribution.lifetime',
  Type.Boolean(),
  false,
  'Whether later orders of a customer go to the coupon that brought the first one.',
);

export const orderSettings = [
  countedStatuses,
  grantedStatuses,
  delayDays,
  maxPerOrder,
  beforeDiscount,
  includeShipping,
  includeTax,
  includeFees,
  productPercents,
  allowSelf,
  lifetimeAttribution,
];
