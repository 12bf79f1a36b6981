import Type, { type Static } from 'typebox';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { VisitorId } from '../clicks/index.ts';
import { orderStatuses } from './settings.ts';

const Amount = (description: string) => Type.Number({ minimum: 0, default: 0, description });

const Part = (name: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, description: `The part of the amount that is ${name}.` }),
  );

/** An id assigned by the store: an integer or text. `1` and `"1"` are the same id. */
const StoreId = (options: { minimum?: number } = {}) =>
  // Text comes first, so that an id from a form or a CSV file keeps its leading zeros.
  Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Integer(options)]);
const Quantity = Type.Integer({ minimum: 0, maximum: 1_000_000 });

/** An order as the store sends it. Amounts are in the order's currency. */
export const orderFields = {
  date: Type.String({
    maxLength: 40,
    examples: ['2026-03-29T14:30:00'],
    description: "ISO 8601: with an offset or Z an instant, without one the site's local time.",
  }),
  status: StringEnum(orderStatuses, { description: 'The status of the order in the store.' }),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      description: "Three letters; the store's currency if omitted.",
    }),
  ),
  external_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The store's own identifier for the order, shown next to its number.",
    }),
  ),
  number: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The number that the store shows to its customers, if it differs from the order id: lists find the order by it.',
    }),
  ),
  exchange_rate: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e9,
      description:
        "What one unit of the order's currency is worth in the store's. An order keeps the one that it was first " +
        'stored with, until its currency changes.',
    }),
  ),
  subtotal: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'The goods before discount; computed if omitted.',
    }),
  ),
  discount: Amount('The discount on the goods.'),
  shipping: Amount('Shipping.'),
  tax: Amount('Tax.'),
  fees: Amount('Fees.'),
  total: Type.Number({ minimum: 0, description: 'The amount that the customer paid.' }),
  coupon_codes: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
    maxItems: 50,
    default: [],
    description: 'The coupons used in the order.',
  }),
  customer: Type.Optional(
    Type.Object(
      {
        id: Type.Optional(StoreId()),
        email: Type.Optional(Type.String({ maxLength: 254 })),
        name: Type.Optional(
          Type.String({
            maxLength: 200,
            description:
              'First and last name, as on the bill. The add-on _review_ compares it with the holder of the payout ' +
              'destination; it is not stored.',
          }),
        ),
      },
      { description: 'Id and address are stored only as a keyed hash, to recognize the customer.' },
    ),
  ),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'The country that the order is billed or sent to: two letters of ISO 3166.',
    }),
  ),
  subscription: Type.Optional(
    Type.Object(
      {
        id: StoreId(),
        payment: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 10_000,
            description:
              'Which payment of the subscription the order is: 1 for the first. If omitted, the payments that ' +
              'are known are counted.',
          }),
        ),
        renewal: Type.Optional(
          Type.Boolean({
            description:
              'True for a payment that is not the first, where the store does not know its number: without known ' +
              'payments it is the second. Not needed with `payment`.',
          }),
        ),
        started_at: Type.Optional(
          Type.String({
            maxLength: 40,
            description: 'When the subscription began; if omitted, the time of its first payment.',
          }),
        ),
      },
      { description: 'The subscription that the order pays for.' },
    ),
  ),
  items: Type.Array(
    Type.Object({
      product_id: StoreId({ minimum: 0 }),
      name: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'The name of the product, for people who read the order; never used for money.',
        }),
      ),
      other_ids: Type.Optional(
        Type.Array(StoreId(), {
          maxItems: 100,
          description:
            'Other ids of the same product, such as those of its translations: rules and percentages for them apply too.',
        }),
      ),
      category_ids: Type.Optional(
        Type.Array(StoreId(), { maxItems: 100, description: 'Rules of rewards name them.' }),
      ),
      tag_ids: Type.Optional(
        Type.Array(StoreId(), { maxItems: 100, description: 'Rules of rewards name them.' }),
      ),
      quantity: Quantity,
      subtotal: Type.Number({ minimum: 0 }),
      total: Type.Number({ minimum: 0 }),
    }),
    { maxItems: 1000, default: [], description: 'The goods: rates of products apply to them.' },
  ),
  refunds: Type.Array(
    Type.Object({
      id: StoreId({ minimum: 0 }),
      date: Type.Optional(Type.String({ maxLength: 40 })),
      amount: Type.Number({ minimum: 0 }),
      shipping: Part('shipping'),
      tax: Part('tax'),
      fees: Part('fees'),
      items: Type.Optional(
        Type.Array(
          Type.Object({
            product_id: StoreId({ minimum: 0 }),
            quantity: Quantity,
            total: Type.Number({ minimum: 0 }),
          }),
          { maxItems: 1000 },
        ),
      ),
    }),
    {
      maxItems: 1000,
      default: [],
      description:
        'All refunds so far. A refund reduces the goods, shipping, tax and fees that it names; the rest of its ' +
        'amount reduces everything in proportion.',
    },
  ),
  click_id: Type.Optional(
    Id(
      'The click that led to the order, from the landing address of the referral link or the response ' +
        'to `POST /clicks`.',
    ),
  ),
  visitor: Type.Optional(
    VisitorId(
      'The visitor who placed the order, as in the landing address of the referral link or as sent ' +
        'to `POST /clicks`: the order is credited to their last click. Stored only as a keyed hash.',
    ),
  ),
  referral_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description:
        'The coupon code in the link that led to the order, where the store has only the code. ' +
        'Of `click_id`, `visitor` and `referral_code` the first that leads to a coupon counts, after ' +
        '`coupon_codes`.',
    }),
  ),
  date_modified: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'When the store last changed it. A version older than the stored one is ignored.',
    }),
  ),
};

/** The same order as in the examples of responses and events: 10 % of the goods are 12.50. */
export const orderExample = {
  date: '2026-01-20T14:05:09',
  status: 'completed' as const,
  currency: 'USD',
  external_id: 'WEB-1042',
  number: 'EU-1042',
  subtotal: 125,
  total: 125,
  coupon_codes: ['MAYA10'],
  customer: { id: 'C-2211', email: 'customer@example.com' },
  items: [{ product_id: 'TENT-2', name: 'Tent for two', quantity: 1, subtotal: 125, total: 125 }],
};

const OrderBody = Type.Object(orderFields);
export type OrderInput = Static<typeof OrderBody> & { order_id: number };
