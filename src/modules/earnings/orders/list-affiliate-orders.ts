import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { bounds, effectiveRange, rangeParameters } from '../../../kernel/call/date-range.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import {
  CurrencyCode,
  Id,
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { offsetOf } from '../../../shared/pagination.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { perSub, readOrderSources, type OrderSource } from '../../clicks/index.ts';
import { findAccountsOf, foldCode, type CouponAccount } from '../../coupons/index.ts';
import { findRejected, orderStatuses, recomputeCommission } from '../../orders/index.ts';
import {
  countReferredOrders,
  findReferralsOf,
  listReferredOrders,
  type AffiliateOrderRow,
  type ReferredOrdersFilter,
} from './affiliate-orders-rows.ts';
import { orderStates, reasonOf, reasons, stateOf } from './order-state.ts';

const AffiliateOrderSchema = Type.Object(
  {
    order_id: Type.Integer({ description: "The store's number of the order." }),
    date: LocalTime('When it was placed.'),
    status: StringEnum(orderStatuses, { description: 'Its status in the store.' }),
    coupon_id: Type.Integer({ description: 'The coupon that it is credited to.' }),
    coupon_code: Type.String({ description: 'Its code.' }),
    currency: CurrencyCode,
    sales: Type.Number({ description: 'The amount that the customer paid, net of refunds.' }),
    base: Type.Number({
      description: 'The amount that the percentage applies to, net of refunds.',
    }),
    commission: Type.Number({ description: 'The commission that the order earns now.' }),
    expected: Nullable(
      Type.Number({
        description: 'The commission that an `awaiting` order earns once it is completed.',
      }),
    ),
    state: StringEnum(orderStates, {
      description:
        '`awaiting`: earns once the order is completed; `on_hold`: earned, released at `hold_until`; `in_review`: held ' +
        'until the store has decided about it; `earned`: part of the unpaid or paid balance; `reversed`: the order was cancelled, refunded or failed; `nothing`: earns ' +
        'nothing, see `reason`.',
    }),
    reason: Nullable(
      StringEnum(reasons, {
        description:
          "Why it earns nothing, or not yet: the affiliate's own order, the status of the order, a full refund, a rate of " +
          'zero, or a decision of the store; null if it earns.',
      }),
    ),
    hold_until: Nullable(LocalTime('When a commission on hold becomes available.')),
    creative: Nullable(
      Type.Integer({ description: 'The creative whose click led to it; null if unknown.' }),
    ),
    ...perSub((name) =>
      Type.String({ description: `\`${name}\` of the link that led to it; empty without one.` }),
    ),
  },
  {
    $id: 'AffiliateOrder',
    examples: [
      {
        order_id: 1042,
        date: '2026-01-20T14:05:09',
        status: 'completed',
        coupon_id: 12,
        coupon_code: 'MAYA10',
        currency: 'USD',
        sales: 125,
        base: 125,
        commission: 12.5,
        expected: null,
        state: 'on_hold',
        reason: null,
        hold_until: '2026-02-03T14:05:09',
        creative: null,
        sub1: 'newsletter',
        sub2: '',
        sub3: '',
        sub4: '',
        sub5: '',
      },
    ],
  },
);

export const listAffiliateOrders = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/orders',
  summary: 'The orders that an affiliate earned on, with what each earns',
  description:
    'For admins and the affiliate itself. Newest first, without customer data, of former coupons as well. ' +
    '`GET /orders/{order_id}/commission` explains how a commission was computed.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The number of an order, or part of the code of a coupon in any case.',
      }),
    ),
    state: Type.Optional(StringEnum(orderStates, { description: 'Orders of this state only.' })),
    coupon: Type.Optional(Id('Orders of this coupon only.')),
    ...rangeParameters,
    ...pageParameters,
  }),
  response: Type.Array(AffiliateOrderSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, input) {
    await requireOwnAffiliate(db, caller, input.id);
    const own = await findAccountsOf(db, input.id);
    const coupons = new Map(
      own
        .filter(({ coupon_id }) => input.coupon === undefined || coupon_id === input.coupon)
        .map((account) => [account.coupon_id, account]),
    );
    const filter = {
      userId: input.id,
      couponIds: [...coupons.keys()],
      isShared: own.some(({ owned_since }) => owned_since !== null),
      state: input.state,
      ...bounds(effectiveRange(input, site, nowMs)),
    };
    const showAll = (rows: readonly AffiliateOrderRow[]) => showOrders(db, site, coupons, rows);
    const page = { limit: input.per_page, offset: offsetOf(input) };

    const numbered = await findByNumber(db, filter, input.search);
    if (numbered.length > 0) {
      return collection(input, numbered.length, async () =>
        showAll(numbered.slice(page.offset, page.offset + page.limit)),
      );
    }
    if (input.search !== undefined) {
      const part = foldCode(input.search.trim());
      filter.couponIds = filter.couponIds.filter((id) =>
        coupons.get(id)!.code_folded.includes(part),
      );
    }
    return collection(input, await countReferredOrders(db, filter), async () => {
      return showAll(await listReferredOrders(db, filter, page));
    });
  },
});

/** The referrals of the order with this number, one per coupon; none if the text is not the number of such an order. */
async function findByNumber(
  db: Reader,
  { userId, couponIds, state, first, last }: ReferredOrdersFilter,
  search: string | undefined,
): Promise<AffiliateOrderRow[]> {
  const number = /^#?(\d{1,15})$/.exec(search?.trim() ?? '')?.[1];
  if (number === undefined) return [];
  const rows = await findReferralsOf(db, [Number(number)]);
  return rows.filter(
    (row) =>
      row.user_id === userId &&
      couponIds.includes(row.coupon_id) &&
      row.dropped === 0 &&
      row.day >= first &&
      row.day <= last &&
      (state === undefined || stateOf(row) === state),
  );
}

export async function showOrders(
  db: Reader,
  site: Site,
  coupons: ReadonlyMap<number, CouponAccount>,
  rows: readonly AffiliateOrderRow[],
): Promise<Static<typeof AffiliateOrderSchema>[]> {
  const [rejected, found] = await Promise.all([
    findRejected(db, site, rows),
    readOrderSources(db, [...new Set(rows.map((row) => row.order_id))]),
  ]);
  const sources = new Map(found.map((source) => [keyOf(source), source]));
  return rows.map((row) => {
    const coupon = coupons.get(row.coupon_id)!;
    const order = toAffiliateOrder(row, coupon, sources.get(keyOf(row)), site);
    return rejected.has(row) ? { ...order, reason: 'rejected' as const } : order;
  });
}

function keyOf({ order_id, coupon_id }: { order_id: number; coupon_id: number }): string {
  return `${order_id} ${coupon_id}`;
}

function toAffiliateOrder(
  row: AffiliateOrderRow,
  coupon: CouponAccount,
  source: OrderSource | undefined,
  site: Site,
): Static<typeof AffiliateOrderSchema> {
  const { currency, calendar } = site;
  const { base, expected } = recomputeCommission(site, row, row);
  const isNothing = stateOf(row) === 'awaiting' && expected <= 0;
  const state = isNothing ? 'nothing' : stateOf(row);
  return {
    order_id: row.order_id,
    date: calendar.toLocal(row.placed_at),
    status: row.status,
    coupon_id: coupon.coupon_id,
    coupon_code: coupon.code,
    currency: currency.code,
    sales: currency.toMajor(row.sales),
    base: currency.toMajor(base),
    commission: currency.toMajor(row.commission),
    expected: state === 'awaiting' ? currency.toMajor(expected) : null,
    state,
    reason: isNothing ? 'zero_commission' : reasonOf(row),
    hold_until: state === 'on_hold' ? calendar.toLocal(row.release_at) : null,
    creative: source?.creative_id ?? null,
    ...perSub((name) => source?.[name] ?? ''),
  };
}
