import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { GroupName } from '../groups/index.ts';
import { DisplayName, newUserFields, userExists } from '../users/index.ts';
import { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
import { alreadyAnonymised } from './affiliate.ts';
import { applyChange } from './apply-change.ts';
import { tooManyNotes } from './notes/add-note.ts';
import { ProfileInput } from './profile.ts';
import { affiliateStatuses } from './tables.ts';

export const changeAffiliate = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/affiliates/{id}',
  summary: 'Change, suspend or reinstate an affiliate',
  access: 'admin',
  scope: 'write',
  proof: ({ email, groups }) => email !== undefined || groups !== undefined,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      display_name: Type.Optional(DisplayName),
      email: Type.Optional(newUserFields.email),
      groups: Type.Optional(
        Type.Array(GroupName, { maxItems: 20, description: 'All groups it is in from now on.' }),
      ),
      profile: Type.Optional(ProfileInput),
      status: Type.Optional(
        StringEnum(affiliateStatuses, {
          description: 'A suspended affiliate earns nothing on new orders and may change nothing.',
        }),
      ),
      reason: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          description: 'Why the status changes; becomes a note. The affiliate does not see it.',
        }),
      ),
    },
    { $id: 'ChangeAffiliate' },
  ),
  example: { body: { display_name: 'Maya Ortiz', groups: ['Gold'], status: 'active' } },
  response: AffiliateSchema,
  errors: [generalErrors.notFound, userExists, alreadyAnonymised, tooManyNotes],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    const row = await applyChange(db, site, caller, { id, ...input }, nowMs);
    return toAffiliate(db, site, caller, row);
  },
});
