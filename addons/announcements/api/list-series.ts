import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { countSeries, listSeriesRows, listSteps } from '../series/series-rows.ts';
import { SeriesSchema, toSeries } from './series-wire.ts';

export const listSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/series',
  summary: 'List series of emails',
  description:
    'With their steps and figures, oldest first. `POST /series/ready` adds three ready ones.',
  access: 'admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(SeriesSchema),
  headers: pageHeaders,
  async handle({ db, site }, page) {
    return collection(page, await countSeries(db, {}), async (slice) => {
      const rows = await listSeriesRows(db, {}, slice);
      const ids = rows.map(({ id }) => id);
      const steps = await listSteps(db, ids);
      return rows.map((row) => toSeries(row, steps, site));
    });
  },
});
