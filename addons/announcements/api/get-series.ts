import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireSeries } from '../series/save-series.ts';
import { listSteps } from '../series/series-rows.ts';
import { SeriesSchema, toSeries } from './series-wire.ts';

export const getSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/series/{id}',
  summary: 'Get a series of emails with its figures',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The series.') }),
  response: SeriesSchema,
  errors: [generalErrors.notFound],
  handle: async ({ db, site }, { id }) =>
    toSeries(await requireSeries(db, id), await listSteps(db, [id]), site),
});
