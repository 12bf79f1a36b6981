import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { SessionSchema, toSession } from './session-wire.ts';

export const getSession = operation({
  method: 'GET',
  namespace: 'site',
  path: '/session',
  summary: 'Get the signed-in user',
  access: 'user',
  scope: null,
  beforeSecondFactor: true,
  response: SessionSchema,
  handle({ caller }) {
    // An application password does not open a session.
    if (!caller.person || caller.csrfToken === null) throw new ApiError(generalErrors.unauthorized);
    return toSession(caller.person, caller.csrfToken);
  },
});
