import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { applyMemberChange, lastAdministrator } from './member-change.ts';
import { teamRoles } from './team-rows.ts';
import { MemberSchema, toMember } from './team-wire.ts';

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
