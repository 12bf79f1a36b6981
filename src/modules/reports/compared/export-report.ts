import Type from 'typebox';
import { seriesOf } from '../../../kernel/call/series.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { figureNames } from '../../../web-contract/report-dimensions.ts';
import { CSV_TYPE, csvResponse } from '../../exports/index.ts';
import { comparePeriods } from './compare-periods.ts';
import { checkReport, reportParameters, toFigures } from './get-report.ts';
import type { ComparedRow } from './period-rows.ts';
import { nameRows } from './report-names.ts';

const columns = [
  'name',
  'affiliate',
  ...figureNames,
  ...figureNames.map((name) => `${name}_before` as const),
];

export const exportReport = operation({
  method: 'GET',
  namespace: 'store',
  path: '/exports/report.csv',
  summary: 'Export a report as CSV',
  description: 'All rows of `GET /reports` with the same parameters, in the same order.',
  access: 'admin',
  scope: 'read',
  long: true,
  query: Type.Object(reportParameters),
  contentType: CSV_TYPE,
  response: Type.String(),
  example: {
    response: `${columns.join()}\r\nMAYA10,maya,31,2,2,250,25,0,20,1,1,125,12.5,0\r\n`,
  },
  check: checkReport,
  async handle({ db, site, nowMs }, { by, sort, ...input }) {
    const series = seriesOf(input, site, nowMs);
    const { rows } = await comparePeriods(db, site, by, series, { sort });
    const placed = rows.map((row, place) => ({ ...row, place }));
    return csvResponse<ComparedRow & { place: number }>({
      file: `report-${series.from}-${series.to}.csv`,
      columns,
      readPage: async ({ after, limit }) => placed.slice(after + 1, after + 1 + limit),
      keyOf: ({ place }) => place,
      async toRecords(page) {
        const names = await nameRows(db, site, by, page);
        return page.map(({ now, before }, i) => [
          names[i]!.name ?? '',
          names[i]!.affiliate?.login ?? '',
          ...Object.values(toFigures(now, site)),
          ...Object.values(toFigures(before, site)),
        ]);
      },
    });
  },
});
