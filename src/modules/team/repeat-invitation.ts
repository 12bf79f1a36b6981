import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { inviteUser } from '../accounts/index.ts';
import { requireMember } from './member.ts';
import { MemberSchema, toMember } from './team-wire.ts';

export const notInvitable = defineError(
  'svc_api_not_invitable',
  409,
  'This user has a password or is disabled.',
);

export const repeatInvitation = operation({
  method: 'POST',
  namespace: 'store',
  path: '/team/{id}/invitation',
  summary: 'Invite an administrator or manager again',
  description: 'Emails a new link; the earlier one no longer works.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The administrator or manager.') }),
  response: MemberSchema,
  errors: [generalErrors.notFound, notInvitable],
  async handle({ db, site, caller, nowMs }, { id }) {
    const member = await requireMember(db, id);
    if (member.password_hash !== null || member.disabled_at !== null) {
      throw new ApiError(notInvitable);
    }
    await inviteUser(db, site, member, { actorId: actorId(caller), nowMs });
    return toMember(db, site, member);
  },
});
