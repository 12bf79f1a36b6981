import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { idleFrom } from '../series/find-idle.ts';
import {
  idleDaysOf,
  replaceSteps,
  requireSeries,
  wrongSeriesState,
} from '../series/save-series.ts';
import { listSteps, lockSeries, saveSeries } from '../series/series-rows.ts';
import { switched } from '../series/switch-series.ts';
import { checkSteps, SeriesSchema, seriesFields, toSeries } from './series-wire.ts';

export const changeSeries = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/series/{id}',
  summary: 'Change a series of emails, switch it on or off',
  description:
    'What is given replaces what there was. Switched on, it begins with what happens from then on. While it is off, ' +
    'nothing is sent: who is in it waits, and leaves if a step is more than a week late when it is switched on again.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The series.') }),
  body: Type.Object(
    {
      ...seriesFields,
      name: Type.Optional(seriesFields.name),
      starts_on: Type.Optional(seriesFields.starts_on),
      active: Type.Optional(Type.Boolean({ description: 'Switches it on or off.' })),
    },
    { $id: 'ChangeSeries' },
  ),
  example: {
    body: { active: true },
    response: { active: true, date_activated: '2026-11-20T12:10:00' },
  },
  response: SeriesSchema,
  errors: [generalErrors.notFound, wrongSeriesState],
  check: checkSteps,
  async handle({ db, site, caller, nowMs }, { id, steps, active, ...input }) {
    await lockSeries(db);
    const before = await requireSeries(db, id);
    const stepsBefore = await listSteps(db, [id]);
    const author = { actorId: actorId(caller), nowMs };
    if (steps) {
      const known = new Set(stepsBefore.map((step) => step.id));
      const isUnknown = steps.some((step) => step.id !== undefined && !known.has(step.id));
      if (isUnknown) throw new ApiError(generalErrors.notFound);
      await replaceSteps(db, id, stepsBefore, steps, author);
    }
    const { name = before.name, starts_on = before.starts_on } = input;
    const { ends_on_order = before.ends_on_order === 1, idle_days = before.idle_days } = input;
    const days = idleDaysOf(starts_on, idle_days);
    const isOther = days !== before.idle_days && days !== null;
    const changed = {
      ...before,
      name,
      starts_on,
      ends_on_order: Number(ends_on_order),
      idle_days: days,
      position: isOther ? idleFrom(nowMs, days) : before.position,
      replan: steps ? '[0,0]' : before.replan,
    };
    const isActive = active ?? before.active === 1;
    const count = (steps ?? stepsBefore).length;
    const on = await switched(db, changed, { isActive, steps: count, ...author });
    await saveSeries(db, { ...changed, ...on });
    return toSeries(await requireSeries(db, id), await listSteps(db, [id]), site);
  },
});
