import Type, { type Static } from 'typebox';
import { PointDate, seriesSchemas, toPoints, type Series } from '../../../kernel/call/series.ts';
import { CurrencyCode } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { ClickDay } from '../../clicks/index.ts';
import { seriesFigures, type DayFigures } from './series-rows.ts';

/** One series of figures, of a coupon, an affiliate or the store. */
export const SeriesSchema = Type.Object(
  {
    ...seriesSchemas,
    currency: CurrencyCode,
    points: Type.Array(
      Type.Object({
        date: PointDate,
        clicks: Type.Integer({ description: 'Clicks on referral links.' }),
        conversions: Type.Integer({ description: 'Clicks that led to an order.' }),
        orders: Type.Integer({ description: 'Referred orders that count.' }),
        sales: Type.Number({ description: 'Their sales, net of refunds.' }),
        commission: Type.Number({ description: 'Their commission, whatever its state.' }),
        upline_commission: Type.Number({
          description:
            'Shares of the referrals of affiliates below; 0 without the multilevel add-on.',
        }),
      }),
      { description: 'One per interval, in order; without data all figures are zero.' },
    ),
  },
  {
    $id: 'StatsSeries',
    examples: [
      {
        interval: 'day',
        from: '2026-01-20',
        to: '2026-01-21',
        currency: 'USD',
        points: [
          {
            date: '2026-01-20',
            clicks: 31,
            conversions: 2,
            orders: 2,
            sales: 250,
            commission: 25,
            upline_commission: 0,
          },
          {
            date: '2026-01-21',
            clicks: 0,
            conversions: 0,
            orders: 0,
            sales: 0,
            commission: 0,
            upline_commission: 0,
          },
        ],
      },
    ],
  },
);

export function toSeries(
  series: Series,
  days: readonly DayFigures[],
  clickDays: readonly ClickDay[],
  { currency }: Site,
): Static<typeof SeriesSchema> {
  const clicks = toPoints(series, ['clicks', 'conversions'], clickDays);
  return {
    ...series,
    currency: currency.code,
    points: toPoints(series, seriesFigures, days).map((point, i) => ({
      date: point.date,
      clicks: clicks[i]!.clicks,
      conversions: clicks[i]!.conversions,
      orders: point.orders_count,
      sales: currency.toMajor(point.total_sales),
      commission: currency.toMajor(point.total_commission),
      upline_commission: currency.toMajor(point.upline_commission),
    })),
  };
}
