import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { idleDaysOf, insertNewSeries, requireSeries } from '../series/save-series.ts';
import { listSteps } from '../series/series-rows.ts';
import { checkSteps, SeriesSchema, seriesFields, stepExample, toSeries } from './series-wire.ts';

export const createSeries = operation({
  method: 'POST',
  namespace: 'store',
  path: '/series',
  summary: 'Create a series of emails',
  description: 'It is off until `PATCH /series/{id}` switches it on.',
  access: 'admin',
  scope: 'write',
  body: Type.Object(seriesFields, { $id: 'CreateSeries' }),
  example: {
    body: {
      name: 'Welcome',
      starts_on: 'accepted',
      ends_on_order: true,
      steps: [stepExample],
    },
  },
  status: 201,
  response: SeriesSchema,
  check: checkSteps,
  async handle({ db, site, caller, nowMs }, input) {
    const { name, starts_on, idle_days, ends_on_order = false, steps = [] } = input;
    const id = await insertNewSeries(
      db,
      {
        name,
        starts_on,
        idle_days: idleDaysOf(starts_on, idle_days),
        ends_on_order: Number(ends_on_order),
      },
      // A new series has no steps whose ids could be meant.
      steps.map(({ after_days, texts }) => ({ after_days, texts })),
      { actorId: actorId(caller), nowMs },
    );
    return toSeries(await requireSeries(db, id), await listSteps(db, [id]), site);
  },
});
