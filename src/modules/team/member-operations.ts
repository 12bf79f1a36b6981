import Type from 'typebox';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { inviteUser } from '../accounts/index.ts';
import { createUser, DisplayName, newUserFields, userExists } from '../users/index.ts';
import { applyMemberChange, lastAdministrator } from './member-change.ts';
import { isMember, requireMember } from './member.ts';
import { countMembers, listMemberRows, teamRoles } from './team-rows.ts';
import { MemberSchema, toMember, toMembers } from './team-wire.ts';

export const listTeam = operation({
  method: 'GET',
  namespace: 'store',
  path: '/team',
  summary: 'List administrators and managers',
  access: 'plugin-admin',
  scope: 'manage',
  query: Type.Object(pageParameters),
  response: Type.Array(MemberSchema),
  headers: pageHeaders,
  async handle({ db, site }, input) {
    return collection(input, await countMembers(db, {}), async (slice) => {
      const rows = await listMemberRows(db, {}, slice);
      return toMembers(db, site, rows.filter(isMember));
    });
  },
});

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

export const changeMember = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/team/{id}',
  summary: 'Change the role of an administrator or manager, or disable it',
  description:
    'The sessions of the user end. API keys and application passwords of a disabled user are refused until it is ' +
    'enabled again. There is always an administrator who is not disabled.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The administrator or manager.') }),
  body: Type.Object(
    {
      role: Type.Optional(StringEnum(teamRoles, { description: 'The new role.' })),
      disabled: Type.Optional(
        Type.Boolean({ description: 'Refuse every credential of this user.' }),
      ),
    },
    { $id: 'ChangeTeamMember' },
  ),
  example: { body: { role: 'manager' } },
  response: MemberSchema,
  errors: [generalErrors.notFound, lastAdministrator],
  async handle({ db, site, caller, nowMs }, { id, ...change }) {
    return toMember(db, site, await applyMemberChange(db, site, caller, id, change, nowMs));
  },
});
