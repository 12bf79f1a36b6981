import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { findMember } from '../series/member-rows.ts';
import { leaveSeries } from '../series/membership.ts';
import { requireSeries } from '../series/save-series.ts';
import { lockSeries } from '../series/series-rows.ts';

export const removeSeriesMember = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/series/{id}/members/{user_id}',
  summary: 'Take an affiliate out of a series',
  description: 'The affiliate receives no further steps and does not enter this series again.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The series.'), user_id: Id('The affiliate.') }),
  response: Type.Object(
    { removed: Type.Boolean() },
    { $id: 'RemovedSeriesMember', examples: [{ removed: true }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, caller, nowMs }, { id, user_id }) {
    await lockSeries(db);
    await requireSeries(db, id);
    const member = await findMember(db, { series_id: id, user_id });
    if (member?.state !== 'waiting') throw new ApiError(generalErrors.notFound);
    await leaveSeries(db, [member], 'team', { actorId: actorId(caller), nowMs });
    return { removed: true };
  },
});
