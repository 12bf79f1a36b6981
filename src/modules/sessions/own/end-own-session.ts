import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { endSessions } from '../end-sessions.ts';
import { listSessionsOf } from '../session-rows.ts';
import { sessionIdOf } from '../session.ts';

export const endOwnSession = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/sessions/{id}',
  summary: 'End one of your sessions',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 40, description: 'The session.' }),
  }),
  response: Type.Object({ ended: Type.Literal(true) }, { $id: 'EndedSession' }),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    const userId = actorId(caller);
    const rows = await listSessionsOf(db, { user_id: userId });
    const row = rows.find(({ token_hash }) => sessionIdOf(site, token_hash) === id);
    const ended = row ? await endSessions(db, site, { userId, only: row.token_hash }, nowMs) : 0;
    if (ended === 0) throw new ApiError(generalErrors.notFound);
    return { ended: true as const };
  },
});
