import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { OrderContent } from './order-content.ts';
import type { OrderRow, ReferralRow } from './order-rows.ts';
import { orderStatuses } from './settings.ts';
import { referralStates, vias } from './tables.ts';

const EARNS_NOW =
  'The commission that the order earns now: 0 while it is void, cancelled, failed, fully refunded or self-referred.';

const VIA = 'The attribution: a coupon used in the order, a link, an earlier order, a person.';

const orderExample = {
  order_id: 1042,
  date: '2026-01-20T14:05:09',
  status: 'completed',
  currency: 'USD',
  order_currency: 'USD',
  exchange_rate: 1,
  external_id: 'WEB-1042',
  total: 125,
  discount: 0,
  refunded: 0,
};

const itemExample = {
  product_id: 'TENT-2',
  name: 'Tent for two',
  quantity: 1,
  subtotal: 125,
  total: 125,
};

const referralExample = {
  coupon_id: 12,
  user_id: 7,
  commission: 12.5,
  state: 'granted',
  credited_via: 'coupon',
};

const currencySchemas = {
  currency: Type.String({ description: "The store's currency, in which all amounts are given." }),
  order_currency: Type.String({ description: 'The currency the order was placed in.' }),
  exchange_rate: Type.Number({
    description: 'The value of one unit of `order_currency` in `currency`; 1 if both are the same.',
  }),
};

const ExternalId = Nullable(
  Type.String({
    description: "The store's own identifier for the order; only for administrators.",
  }),
);

/** Null while the order is an estimate. */
export const DateDecided = Nullable(
  LocalTime(
    'When it first counted, and it was decided whom it is credited to and from which facts. Until then all of it is an estimate.',
  ),
);

export const StoreOfOrder = Nullable(
  Type.Integer({
    description:
      'The connected store that the order comes from; null if it was sent with `PUT /orders`. ' +
      '`external_id` is then its id in that store.',
  }),
);

export const ShownNumber = Nullable(
  Type.String({
    description:
      'The number that the store shows to its customers, if it differs from the order id.',
  }),
);

/** The currency of the amounts, and the currency the order was placed in. */
export function toCurrencies(
  order: Pick<OrderRow, 'currency' | 'exchange_rate'>,
  { currency }: Site,
) {
  const isOwn = order.currency === currency.code;
  return {
    currency: currency.code,
    order_currency: order.currency,
    exchange_rate: isOwn ? 1 : Number(order.exchange_rate),
  };
}

export const ReferralSchema = Type.Object(
  {
    coupon_id: Type.Integer({ description: 'The coupon that the order is credited to.' }),
    user_id: Type.Integer({ description: 'Its affiliate.' }),
    commission: Type.Number({ description: EARNS_NOW }),
    state: StringEnum(referralStates, {
      description:
        '`awaiting`: payable once the order is completed; `granted`: payable; `void`: earns nothing.',
    }),
    credited_via: StringEnum(vias, { description: VIA }),
  },
  { $id: 'Referral', examples: [referralExample] },
);

const commonSchemas = {
  order_id: Type.Integer({ description: "The store's number of the order." }),
  date: LocalTime('When it was placed.'),
  status: StringEnum(orderStatuses),
  ...currencySchemas,
};

export const StoredOrderSchema = Type.Object(
  {
    ...commonSchemas,
    external_id: ExternalId,
    number: ShownNumber,
    store: StoreOfOrder,
    total: Type.Number({ description: 'The amount that the customer paid.' }),
    discount: Type.Number({ description: 'The discount on the goods.' }),
    shipping: Type.Number({ description: 'Shipping.' }),
    refunded: Type.Number({ description: 'The amount refunded so far.' }),
    country: Nullable(Type.String({ description: 'As the store sent it.' })),
    items: Type.Array(
      Type.Object(
        {
          product_id: Type.String({ description: 'The id of the product in the store.' }),
          name: Nullable(Type.String({ description: 'As the store sent it.' })),
          quantity: Type.Number(),
          subtotal: Type.Number({ description: 'Before discount, in `order_currency`.' }),
          total: Type.Number({ description: 'After discount, in `order_currency`.' }),
        },
        {
          $id: 'StoredItem',
          examples: [itemExample],
        },
      ),
      { description: 'The goods.' },
    ),
    click_id: Nullable(Type.Integer({ description: 'As the store sent it.' })),
    visitor_hash: Nullable(
      Type.String({ description: 'A keyed hash of the visitor that the store sent.' }),
    ),
    referral_code: Nullable(Type.String({ description: 'As the store sent it.' })),
    date_decided: DateDecided,
    referrals: Type.Array(ReferralSchema, {
      description: 'One per coupon that the order is credited to.',
    }),
  },
  {
    $id: 'StoredOrder',
    examples: [
      {
        ...orderExample,
        number: 'EU-1042',
        store: null,
        shipping: 0,
        country: null,
        items: [itemExample],
        click_id: null,
        visitor_hash: null,
        referral_code: null,
        date_decided: '2026-01-20T14:05:11',
      },
    ],
  },
);

/** An order as its affiliate sees it, without data of the customer. */
export const ReferredOrderSchema = Type.Object(
  {
    ...commonSchemas,
    external_id: Type.Optional(ExternalId),
    total: Type.Number({ description: 'The amount that the customer paid.' }),
    discount: Type.Number({ description: 'The discount on the goods.' }),
    commission: Type.Number({ description: EARNS_NOW }),
    refunded: Type.Number({ description: 'The amount refunded so far.' }),
    credited_via: StringEnum(vias, { description: VIA }),
  },
  {
    $id: 'ReferredOrder',
    examples: [{ ...orderExample, commission: 12.5, credited_via: 'coupon' }],
  },
);

export function toReferral(row: ReferralRow, site: Site): Static<typeof ReferralSchema> {
  return {
    coupon_id: row.coupon_id,
    user_id: row.user_id,
    commission: site.currency.toMajor(row.commission),
    state: row.state,
    credited_via: row.via,
  };
}

function toCommon(
  order: Pick<OrderRow, 'order_id' | 'placed_at' | 'status' | 'currency' | 'exchange_rate'>,
  site: Site,
) {
  const { order_id, placed_at, status } = order;
  return { order_id, date: site.calendar.toLocal(placed_at), status, ...toCurrencies(order, site) };
}

export function toStoredOrder(
  order: OrderRow,
  referrals: readonly ReferralRow[],
  site: Site,
): Static<typeof StoredOrderSchema> {
  const { currency, calendar } = site;
  // The content is an object that this module has stored.
  const { country, items } = JSON.parse(order.content) as OrderContent;
  return {
    ...toCommon(order, site),
    external_id: order.external_id,
    number: order.number,
    store: order.store_id,
    total: currency.toMajor(order.total),
    discount: currency.toMajor(order.discount),
    shipping: currency.toMajor(order.shipping),
    refunded: currency.toMajor(order.refunded),
    country: country ?? null,
    items: items.map(({ product_id, name, quantity, subtotal, total }) => ({
      product_id: String(product_id),
      name: name ?? null,
      quantity,
      subtotal,
      total,
    })),
    click_id: order.click_id,
    visitor_hash: order.visitor_hash,
    referral_code: order.referral_code,
    date_decided: calendar.toLocal(order.decided_at),
    referrals: referrals.map((row) => toReferral(row, site)),
  };
}

/** Only the columns that are shown: the stored content is long. */
export const referredOrderColumns = [
  'order_id',
  'placed_at',
  'status',
  'currency',
  'exchange_rate',
  'external_id',
  'total',
  'discount',
  'refunded',
] as const;

export type ReferredOrderRow = Pick<OrderRow, (typeof referredOrderColumns)[number]> &
  Pick<ReferralRow, 'commission' | 'via'>;

export function toReferredOrder(
  row: ReferredOrderRow,
  site: Site,
  { forAdmin }: { forAdmin: boolean },
): Static<typeof ReferredOrderSchema> {
  const { currency } = site;
  return {
    ...toCommon(row, site),
    ...(forAdmin && { external_id: row.external_id }),
    total: currency.toMajor(row.total),
    discount: currency.toMajor(row.discount),
    commission: currency.toMajor(row.commission),
    refunded: currency.toMajor(row.refunded),
    credited_via: row.via,
  };
}
