import Type from 'typebox';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireSeries, wrongSeriesState } from '../series/save-series.ts';
import { lockSeries, saveSeries } from '../series/series-rows.ts';

export const deleteSeries = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/series/{id}',
  summary: 'Delete a series of emails',
  description: 'It must be off. Affiliates who are in it get nothing more.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The series.') }),
  response: Type.Object(
    { deleted: Type.Boolean() },
    { $id: 'DeletedSeries', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound, wrongSeriesState],
  async handle({ db, nowMs }, { id }) {
    await lockSeries(db);
    const series = await requireSeries(db, id);
    if (series.active === 1) throw new ApiError(wrongSeriesState);
    await saveSeries(db, { ...series, removed_at: nowMs });
    return { deleted: true };
  },
});
