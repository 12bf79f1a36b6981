import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { findAffiliates, findCoupons, findOrders } from './search-rows.ts';

const types = ['affiliate', 'coupon', 'order'] as const;

/** Of each type. */
const FOUND_MAX = 6;

/** The digits of an order's number, with or without the sign for numbers. */
const ORDER_NUMBER = /^#?(\d{1,15})$/;

const FoundSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        type: StringEnum(types, { description: 'The kind of object.' }),
        id: Type.Integer({ description: 'Its id; of an order its number.' }),
        title: Type.String({ description: 'Its name: of a coupon the code.' }),
        detail: Type.String({ description: 'Distinguishes it from others of the same name.' }),
      }),
      { description: `At most ${FOUND_MAX} of each type, in the order of the types.` },
    ),
  },
  {
    $id: 'Found',
    examples: [
      {
        items: [
          { type: 'affiliate', id: 7, title: 'Maya Ortiz', detail: 'maya@example.com' },
          { type: 'coupon', id: 12, title: 'MAYA10', detail: 'Maya Ortiz' },
        ],
      },
    ],
  },
);

export const search = operation({
  method: 'GET',
  namespace: 'store',
  path: '/search',
  summary: 'Find affiliates, coupons and orders by the first letters',
  description:
    'Affiliates by name, login or email address, coupons by code, orders by number, in any case. Only beginnings ' +
    'are compared, so that it takes the same time with any number of records.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 100, description: 'The first letters or digits.' }),
  }),
  response: FoundSchema,
  async handle({ db, site }, { q }) {
    const text = q.trim();
    if (text === '') return { items: [] };
    const digits = ORDER_NUMBER.exec(text)?.[1];
    const [affiliates, coupons, orders] = await Promise.all([
      findAffiliates(db, text, FOUND_MAX),
      findCoupons(db, text, FOUND_MAX),
      digits === undefined ? [] : findOrders(db, Number(digits), FOUND_MAX),
    ]);
    const { currency } = site;
    return {
      items: [
        ...affiliates.map(({ id, display_name, email }) => ({
          type: 'affiliate' as const,
          id,
          title: display_name,
          detail: email,
        })),
        ...coupons.map(({ id, code, display_name }) => ({
          type: 'coupon' as const,
          id,
          title: code,
          detail: display_name ?? '',
        })),
        ...orders.map(({ order_id, day, status, total }) => ({
          type: 'order' as const,
          id: order_id,
          title: `#${order_id}`,
          detail: `${day} · ${status} · ${currency.toMajor(total)} ${currency.code}`,
        })),
      ],
    };
  },
});
