import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { pageHeaders, pageHeaderValues } from '../../../kernel/cache/collection.ts';
import { rangeParameters } from '../../../kernel/call/date-range.ts';
import type { FieldErrors } from '../../../kernel/declare/field-errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import { operation, whenSearched } from '../../../kernel/declare/operation.ts';
import {
  Id,
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { offsetOf } from '../../../shared/pagination.ts';
import { findAccountsOf, foldCode } from '../../coupons/index.ts';
import { isSelfReferral } from '../credited-referral.ts';
import { ShownNumber, StoreOfOrder, toCurrencies } from '../order-wire.ts';
import { isInReview, releaseDateOf } from '../restraints.ts';
import { orderStatuses } from '../settings.ts';
import { recomputeCommission } from '../stored-order.ts';
import { referralStates, vias } from '../tables.ts';
import {
  findCouponsBeginning,
  readOrders,
  type ListedOrder,
  type ListedReferral,
} from './listed-order-rows.ts';
import { findNumbered } from './numbered-orders.ts';
import { findOrderNumbers, LISTED_MAX, orderSorts, type OrderFilter } from './order-list-rows.ts';

const Amount = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1e12, description }));

const Query = Type.Object({
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The number of an order, also the one that its store shows, or the beginning of a coupon code or of the login of an affiliate, in any case.',
    }),
  ),
  affiliate: Type.Optional(Id('Orders credited to this affiliate, former coupons included.')),
  coupon: Type.Optional(Id('Orders credited to this coupon.')),
  status: Type.Optional(StringEnum(orderStatuses, { description: 'Orders of this status only.' })),
  ...rangeParameters,
  min_amount: Amount('Orders of at least this total.'),
  max_amount: Amount('Orders of at most this total.'),
  sort: StringEnum(orderSorts, {
    default: '-date',
    description:
      'Ascending, or descending with `-`. By commission only orders that are credited to a coupon are listed, and ' +
      'amounts cannot be limited.',
  }),
  ...pageParameters,
});
type Input = Static<typeof Query>;

const OrderListItemSchema = Type.Object(
  {
    order_id: Type.Integer({ description: "The store's number of the order." }),
    external_id: Nullable(Type.String({ description: "The store's own identifier." })),
    number: ShownNumber,
    store: StoreOfOrder,
    date: LocalTime('When it was placed.'),
    status: StringEnum(orderStatuses),
    currency: Type.String({ description: "The store's currency, in which all amounts are given." }),
    order_currency: Type.String({ description: 'The currency the order was placed in.' }),
    total: Type.Number({ description: 'The amount that the customer paid.' }),
    refunded: Type.Number({ description: 'The amount refunded so far.' }),
    commission: Type.Number({
      description: 'The commission that the order earns now, over all its referrals.',
    }),
    referrals: Type.Array(
      Type.Object({
        coupon_id: Type.Integer({ description: 'The coupon that the order is credited to.' }),
        coupon_code: Type.String({ description: 'Its code.' }),
        affiliate: Nullable(
          Type.Object(
            {
              id: Type.Integer(),
              login: Type.String(),
              name: Type.String({ description: 'The display name.' }),
            },
            { description: 'The affiliate whom it was credited to.' },
          ),
        ),
        commission: Type.Number({ description: 'The commission that this referral earns now.' }),
        expected: Nullable(
          Type.Number({
            description:
              'The commission that it earns once the order is completed; null if that is decided.',
          }),
        ),
        state: StringEnum(referralStates),
        credited_via: StringEnum(vias),
        hold_until: Nullable(LocalTime('When a commission on hold becomes available.')),
        in_review: Type.Boolean({ description: 'Whether the commission is held by an open case.' }),
      }),
      { description: 'One per coupon that the order is credited to; none for other orders.' },
    ),
  },
  {
    $id: 'OrderListItem',
    examples: [
      {
        order_id: 1042,
        external_id: 'WEB-1042',
        number: 'EU-1042',
        store: null,
        date: '2026-01-20T14:05:09',
        status: 'completed',
        currency: 'USD',
        order_currency: 'USD',
        total: 125,
        refunded: 0,
        commission: 12.5,
        referrals: [
          {
            coupon_id: 12,
            coupon_code: 'MAYA10',
            affiliate: { id: 7, login: 'maya', name: 'Maya Ortiz' },
            commission: 12.5,
            expected: null,
            state: 'granted',
            credited_via: 'coupon',
            hold_until: null,
            in_review: false,
          },
        ],
      },
    ],
  },
);

export const listOrders = operation({
  method: 'GET',
  namespace: 'store',
  path: '/orders',
  summary: 'List and search the orders of the store',
  description:
    `All orders, credited or not. A list reaches ${LISTED_MAX} orders deep: \`X-Svc-Total\` is at most that, and ` +
    '`X-Svc-More` says whether there are more, which a narrower filter finds.',
  access: 'admin',
  scope: 'read',
  long: whenSearched,
  query: Query,
  response: Type.Array(OrderListItemSchema),
  headers: { ...pageHeaders, 'X-Svc-More': '`true` if more orders match than are listed.' },
  check: checkAmounts,
  async handle({ db, site }, input) {
    const numbers = await findNumbers(db, input, site);
    const listed = numbers.slice(0, LISTED_MAX);
    const first = offsetOf(input);
    const rows = await readOrders(db, listed.slice(first, first + input.per_page));
    return new HttpResponse(
      rows.map(({ order, referrals }) => toListItem(order, referrals, site)),
      {
        headers: {
          ...pageHeaderValues(listed.length, input.per_page),
          'X-Svc-More': String(numbers.length > LISTED_MAX),
        },
      },
    );
  },
});

function checkAmounts(input: Partial<Input>, errors: FieldErrors, { currency }: Site): void {
  for (const name of ['min_amount', 'max_amount'] as const) {
    const amount = input[name];
    if (amount === undefined) continue;
    if (currency.toMinor(amount) === undefined) {
      errors.add(name, `must have at most ${currency.decimals} decimals`);
    } else if (input.sort?.endsWith('commission')) {
      errors.add(name, 'cannot be combined with a sort by commission');
    }
  }
}

async function findNumbers(db: Reader, input: Input, site: Site): Promise<number[]> {
  const filter: OrderFilter = {
    status: input.status,
    ...(await creditedTo(db, input)),
    from_ms: input.from === undefined ? undefined : site.calendar.startOfDay(input.from),
    to_ms: input.to === undefined ? undefined : site.calendar.endOfDay(input.to),
    min_total: toMinor(input.min_amount, site),
    max_total: toMinor(input.max_amount, site),
  };
  if (input.search === undefined) return findOrderNumbers(db, filter, input.sort);
  const search = input.search.trim();
  const numbered = await findNumbered(db, search.replace('#', ''), filter);
  if (numbered.length > 0) return numbered;
  const beginning = await findCouponsBeginning(db, foldCode(search));
  const { couponIds = beginning.couponIds } = filter;
  const both = beginning.couponIds.filter((id) => couponIds.includes(id));
  return findOrderNumbers(db, { ...filter, ...beginning, couponIds: both }, input.sort);
}

/** What the filter selects; nothing for orders of any coupon or none. */
async function creditedTo(
  db: Reader,
  { affiliate, coupon }: Input,
): Promise<Pick<OrderFilter, 'couponIds' | 'user_id'>> {
  if (affiliate === undefined) return coupon === undefined ? {} : { couponIds: [coupon] };
  const accounts = await findAccountsOf(db, affiliate);
  const own = accounts.filter(({ coupon_id }) => coupon === undefined || coupon_id === coupon);
  const isShared = own.some(({ owned_since }) => owned_since !== null);
  const couponIds = own.map(({ coupon_id }) => coupon_id);
  return { couponIds, ...(isShared && { user_id: affiliate }) };
}

function toMinor(amount: number | undefined, { currency }: Site): number | undefined {
  return amount === undefined ? undefined : currency.toMinor(amount);
}

/** An open order may earn although it does not count yet. */
function expectedOf({ state, release_at, commission, open }: ListedReferral, site: Site) {
  if (state === 'awaiting' && release_at === null) return site.currency.toMajor(commission);
  if (!open || isSelfReferral(open)) return null;
  return site.currency.toMajor(recomputeCommission(site, open, open).expected);
}

function toListItem(
  order: ListedOrder,
  referrals: readonly ListedReferral[],
  site: Site,
): Static<typeof OrderListItemSchema> {
  const { calendar, currency } = site;
  const { order_currency } = toCurrencies(order, site);
  const commission = referrals.reduce((sum, row) => sum + row.commission, 0);
  return {
    order_id: order.order_id,
    external_id: order.external_id,
    number: order.number,
    store: order.store_id,
    date: calendar.toLocal(order.placed_at),
    status: order.status,
    currency: currency.code,
    order_currency,
    total: currency.toMajor(order.total),
    refunded: currency.toMajor(order.refunded),
    commission: currency.toMajor(commission),
    referrals: referrals.map((row) => ({
      coupon_id: row.coupon_id,
      coupon_code: row.code,
      affiliate:
        row.user_id === null
          ? null
          : { id: row.user_id, login: row.login!, name: row.display_name! },
      commission: currency.toMajor(row.commission),
      expected: expectedOf(row, site),
      state: row.state,
      credited_via: row.via,
      hold_until: row.state === 'awaiting' ? calendar.toLocal(releaseDateOf(row)) : null,
      in_review: isInReview(row),
    })),
  };
}
