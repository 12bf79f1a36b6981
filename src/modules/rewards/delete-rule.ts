import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { deleteFrom } from './list-operations.ts';
import { Version } from './rule-schema.ts';
import { rewardRules } from './rules.ts';

export const deleteRule = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/rewards/rules/{id}',
  summary: 'Delete a reward rule',
  description:
    'Orders that came in before keep their rates. With `version`, a rule that was changed after it is not deleted: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The rule.') }),
  query: Type.Object({ version: Type.Optional(Version) }),
  response: Type.Object(
    {
      deleted: Type.Literal(true),
      version: Type.Integer({ description: 'The version of the list after it.' }),
    },
    { $id: 'DeletedRewardRule', examples: [{ deleted: true, version: 18 }] },
  ),
  errors: [generalErrors.notFound, generalErrors.conflict],
  handle: (context, input) => deleteFrom(rewardRules, context, input),
});
