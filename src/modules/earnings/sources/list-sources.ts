import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../../kernel/call/date-range.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../affiliates/index.ts';
import { conversionRate, listSourceClicks, nameCreatives } from '../../clicks/index.ts';
import { findAccountsOf } from '../../coupons/index.ts';
import { sumSourceSales } from './source-sales-rows.ts';

const SOURCES_MAX = 100;

export const listSources = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/sources',
  summary: 'Clicks and orders of an affiliate by sub-id or creative',
  description:
    'For admins and the affiliate itself. The 100 with most clicks, then with most orders. Of each day and coupon 200 first sub-ids are ' +
    'counted by name, all others as `(other)`. A conversion counts on the day of its click; orders, sales and commission ' +
    'count on the day of the order and by its own sub-id, like the statistics. `GET /affiliates/{id}/orders` and its ' +
    'CSV file have all five sub-ids of each order.',
  access: 'owner',
  scope: 'read',
  long: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object({
    by: StringEnum(['sub1', 'creative'], {
      default: 'sub1',
      description: 'By the first sub-id of the links, or by creative.',
    }),
    coupon: Type.Optional(Id('Clicks of this coupon only.')),
    ...rangeParameters,
  }),
  response: Type.Array(
    Type.Object(
      {
        creative: Nullable(Type.Integer({ description: 'The number of the creative.' })),
        name: Type.String({ description: 'The sub-id, or the name of the creative.' }),
        clicks: Type.Integer({ description: 'Number of clicks.' }),
        conversions: Type.Integer({ description: 'Number of clicks that led to a referral.' }),
        conversion_rate: Type.Number({
          description: 'Percentage of clicks that led to a referral, with two decimals.',
        }),
        orders: Type.Integer({ description: 'Orders that count.' }),
        sales: Type.Number({ description: 'What their customers paid, net of refunds.' }),
        commission: Type.Number({ description: 'What they earn now.' }),
      },
      {
        $id: 'SourceClicks',
        examples: [
          {
            creative: null,
            name: 'newsletter',
            clicks: 120,
            conversions: 6,
            conversion_rate: 5,
            orders: 6,
            sales: 480,
            commission: 48,
          },
        ],
      },
    ),
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, by, coupon, ...input }) {
    await requireOwnAffiliate(db, caller, id);
    const period = bounds(effectiveRange(input, site, nowMs));
    const clicks = await listSourceClicks(db, {
      user_id: id,
      coupon_id: coupon,
      kind: by,
      ...period,
      limit: SOURCES_MAX,
    });
    const own = await findAccountsOf(db, id);
    const couponIds = own.map((one) => one.coupon_id).filter((one) => !coupon || one === coupon);
    const sales = await sumSourceSales(db, by, {
      userId: id,
      couponIds,
      ...period,
      names: clicks.map(({ name }) => name),
      limit: SOURCES_MAX,
    });
    // Orders of the period may have clicks of days before it.
    const withoutClicks = [...sales.keys()]
      .filter((name) => clicks.every((row) => row.name !== name))
      .map((name) => ({ name, clicks: 0, conversions: 0 }));
    const rows = [...clicks, ...withoutClicks].slice(0, SOURCES_MAX);
    const ids = by === 'creative' ? rows.map(({ name }) => Number(name)) : [];
    const names = await nameCreatives(db, site, ids);
    return rows.map(({ name, ...counts }, i) => {
      const sold = sales.get(name) ?? { orders: 0, sales: 0, commission: 0 };
      return {
        creative: ids[i] ?? null,
        name: names.get(ids[i] ?? 0) ?? name,
        ...counts,
        conversion_rate: conversionRate(counts),
        orders: sold.orders,
        sales: site.currency.toMajor(sold.sales),
        commission: site.currency.toMajor(sold.commission),
      };
    });
  },
});
