import Type from 'typebox';
import { actorId, mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findAffiliate } from '../affiliates/index.ts';
import { findUser, toPerson } from '../users/index.ts';
import { inviteUser } from './invite-user.ts';

export const hasPassword = defineError(
  'svc_api_has_password',
  409,
  'This user has already chosen a password.',
);

export const inviteAffiliate = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/invitation',
  summary: 'Invite an affiliate to choose a password',
  description:
    'Sends an email with a link that works once and for seven days. A former link ends. Only for affiliates ' +
    'who have no password yet.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  status: 202,
  response: Type.Object({ invited: Type.Literal(true) }, { $id: 'InvitedAffiliate' }),
  errors: [generalErrors.notFound, generalErrors.forbidden, hasPassword],
  async handle({ db, site, caller, nowMs }, { id }) {
    const user = requireFound((await findAffiliate(db, id)) && (await findUser(db, id)));
    // Otherwise a manager could send mails to an administrator who has a coupon.
    if (!mayEdit(caller, toPerson(user))) throw new ApiError(generalErrors.forbidden);
    if (user.password_hash !== null) throw new ApiError(hasPassword);
    await inviteUser(db, site, user, { actorId: actorId(caller), nowMs });
    return { invited: true as const };
  },
});
