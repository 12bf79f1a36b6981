import Type, { type Static } from 'typebox';
import { checkSeries, seriesOf, seriesParameters } from '../../../kernel/call/series.ts';
import type { FieldErrors } from '../../../kernel/declare/field-errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import {
  CurrencyCode,
  Day,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { offsetOf, totalPages } from '../../../shared/pagination.ts';
import {
  READ_DAYS_MAX,
  reportDimensions,
  reportKinds,
  reportSorts,
  type ReportKind,
} from '../../../web-contract/report-dimensions.ts';
import { comparePeriods } from './compare-periods.ts';
import type { Figures } from './period-rows.ts';
import { nameRows } from './report-names.ts';

/** The parameters of the report and of its export. */
export const reportParameters = {
  by: StringEnum(reportKinds, {
    default: 'day',
    description:
      'The dimension of the rows; `sub1` is the first sub-id of the links of each affiliate. A `campaign` has clicks and ' +
      'conversions only, a `country` orders, sales and commission only. By creative, sub-id or country, a period has at ' +
      `most ${READ_DAYS_MAX} days.`,
  }),
  from: seriesParameters.from,
  to: seriesParameters.to,
  sort: Type.Optional(
    StringEnum(reportSorts, {
      description:
        'Ascending, or descending with `-`. Days are in their order by default; other rows begin with the highest ' +
        'commission, campaigns, creatives and sub-ids with most clicks.',
    }),
  ),
};

type ReportInput = Parameters<typeof seriesOf>[0] & { by: ReportKind };

export function checkReport(input: ReportInput, errors: FieldErrors, site: Site): void {
  checkSeries(input, errors, site);
  if (Object.keys(errors.invalid).length > 0 || !reportDimensions[input.by].readsOrders) return;
  const { from, to } = seriesOf(input, site, site.clock());
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS < READ_DAYS_MAX) return;
  errors.invalid[input.from === undefined ? 'to' : 'from'] =
    `must be within ${READ_DAYS_MAX} days of the last day in a report by creative, sub-id or country`;
}

const FiguresSchema = Type.Object(
  {
    clicks: Type.Integer({ description: 'Clicks on referral links.' }),
    conversions: Type.Integer({ description: 'Clicks that led to an order.' }),
    orders: Type.Integer({ description: 'Referred orders that count.' }),
    sales: Type.Number({ description: 'Their sales, net of refunds.' }),
    commission: Type.Number({ description: 'Their commission, whatever its state.' }),
    upline_commission: Type.Number({
      description: 'Shares of the affiliates above; 0 without the multilevel add-on.',
    }),
  },
  { $id: 'ReportFigures' },
);

const figuresExample = {
  clicks: 31,
  conversions: 2,
  orders: 2,
  sales: 250,
  commission: 25,
  upline_commission: 0,
};

const rowExample = {
  id: 12,
  name: 'MAYA10',
  affiliate: { id: 7, login: 'maya', name: 'Maya Ortiz' },
  figures: figuresExample,
  before: {
    ...figuresExample,
    clicks: 20,
    conversions: 1,
    orders: 1,
    sales: 125,
    commission: 12.5,
  },
};

export const getReport = operation({
  method: 'GET',
  namespace: 'store',
  path: '/reports',
  summary:
    'Compare a period with the one before, by day, affiliate, coupon, campaign, creative, sub-id or country',
  description:
    'The period before has as many days and ends the day before. The figures are those of ' +
    '`GET /stats/series`: they are kept with each order, so a report reads no orders, except by creative, sub-id or country. While the totals ' +
    'stay the same, the rows are kept for a minute.',
  access: 'admin',
  scope: 'read',
  long: true,
  query: Type.Object({ ...reportParameters, ...pageParameters }),
  response: Type.Object(
    {
      by: StringEnum(reportKinds),
      from: Day('The first day.'),
      to: Day('The last day.'),
      before: Type.Object(
        { from: Day('The first day.'), to: Day('The last day.') },
        { description: 'The period before.' },
      ),
      currency: CurrencyCode,
      totals: Type.Object(
        { figures: FiguresSchema, before: FiguresSchema },
        {
          description:
            'Of the entire program; by creative and sub-id, of the links that have one. An order with several coupons ' +
            'counts once here, and in the row of each coupon.',
        },
      ),
      rows: Type.Array(
        Type.Object({
          id: Nullable(
            Type.Integer({ description: 'Of the affiliate, the coupon or the creative.' }),
          ),
          name: Nullable(
            Type.String({
              description:
                'The day, the display name, the code, the campaign (empty for clicks without one), the name of the ' +
                'creative, the sub-id or the two letters of the country; null if unknown.',
            }),
          ),
          affiliate: Nullable(
            Type.Object({ id: Type.Integer(), login: Type.String(), name: Type.String() }),
          ),
          figures: FiguresSchema,
          before: FiguresSchema,
        }),
      ),
      total: Type.Integer({ description: 'The number of rows of all pages.' }),
      pages: Type.Integer({ description: 'The number of pages.' }),
    },
    {
      $id: 'Report',
      examples: [
        {
          by: 'coupon',
          from: '2026-01-01',
          to: '2026-01-31',
          before: { from: '2025-12-01', to: '2025-12-31' },
          currency: 'USD',
          totals: { figures: figuresExample, before: rowExample.before },
          rows: [rowExample],
          total: 1,
          pages: 1,
        },
      ],
    },
  ),
  check: checkReport,
  async handle({ db, site, nowMs }, { by, sort, page, per_page, ...input }) {
    const series = seriesOf(input, site, nowMs);
    const first = offsetOf({ page, per_page });
    const wanted = first + per_page;
    const report = await comparePeriods(db, site, by, series, { sort, wanted });
    const shown = report.rows.slice(first);
    const names = await nameRows(db, site, by, shown);
    const { hasId } = reportDimensions[by];
    const { totals, total, period, before } = report;
    return {
      by,
      from: period.first,
      to: period.last,
      before: { from: before.first, to: before.last },
      currency: site.currency.code,
      totals: { figures: toFigures(totals.now, site), before: toFigures(totals.before, site) },
      rows: shown.map((row, i) => ({
        id: hasId && row.key !== 0 ? Number(row.key) : null,
        name: names[i]!.name,
        affiliate: names[i]!.affiliate,
        figures: toFigures(row.now, site),
        before: toFigures(row.before, site),
      })),
      total,
      pages: totalPages(total, per_page),
    };
  },
});

export function toFigures(
  { clicks, conversions, orders, sales, commission, upline_commission }: Figures,
  { currency }: Site,
): Static<typeof FiguresSchema> {
  return {
    clicks,
    conversions,
    orders,
    sales: currency.toMajor(sales),
    commission: currency.toMajor(commission),
    upline_commission: currency.toMajor(upline_commission),
  };
}
