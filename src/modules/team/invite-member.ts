import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { inviteUser } from '../accounts/index.ts';
import { createUser, DisplayName, newUserFields, userExists } from '../users/index.ts';
import { requireMember } from './member.ts';
import { teamRoles } from './team-rows.ts';
import { MemberSchema, toMember } from './team-wire.ts';

export const inviteMember = operation({
  method: 'POST',
  namespace: 'store',
  path: '/team',
  summary: 'Invite an administrator or manager',
  description: 'The user gets an email with a link, valid for seven days, to choose a password.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      ...newUserFields,
      display_name: Type.Optional(DisplayName),
      role: StringEnum(teamRoles, { description: 'The permissions of the new member.' }),
    },
    { $id: 'InviteTeamMember' },
  ),
  example: {
    body: {
      login: 'marcus',
      email: 'marcus@example.com',
      display_name: 'Marcus Lind',
      role: 'manager',
    },
    response: { has_password: false, two_factor: false, last_seen: null },
  },
  status: 201,
  response: MemberSchema,
  errors: [userExists],
  async handle({ db, site, caller, nowMs }, { login, email, display_name, role }) {
    const user = await createUser(db, site, {
      login,
      email,
      role,
      passwordHash: null,
      ...(display_name !== undefined && { display_name }),
    });
    await inviteUser(db, site, user, { actorId: actorId(caller), nowMs });
    return toMember(db, site, await requireMember(db, user.id));
  },
});
