import Type from 'typebox';
import { checkSeries, seriesOf, seriesParameters } from '../../../kernel/call/series.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { listClickDays } from '../../clicks/index.ts';
import { listStoreDays } from './series-rows.ts';
import { SeriesSchema, toSeries } from './series-wire.ts';

export const getStoreSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/stats/series',
  summary: 'The figures of the program by day, week or month',
  description: 'An order counts once, however many coupons it is credited to.',
  access: 'admin',
  scope: 'read',
  query: Type.Object({ ...seriesParameters }),
  response: SeriesSchema,
  check: checkSeries,
  async handle({ db, site, nowMs }, input) {
    const series = seriesOf(input, site, nowMs);
    const { from, to } = series;
    const [days, clickDays] = await Promise.all([
      listStoreDays(db, series),
      listClickDays(db, { from, to }),
    ]);
    return toSeries(series, days, clickDays, site);
  },
});
