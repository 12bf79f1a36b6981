import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { checkRule } from './check-rule.ts';
import { changeIn } from './list-operations.ts';
import { RewardRuleSchema, ruleFields, Version } from './rule-schema.ts';
import { rewardRules } from './rules.ts';

export const changeRule = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/rewards/rules/{id}',
  summary: 'Change a reward rule',
  description:
    'Changes the fields that are sent; each is replaced as a whole. Orders that came in before keep their rates. With ' +
    '`version`, a rule that was changed after it is not changed again: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The rule.') }),
  body: Type.Object(
    { ...ruleFields, version: Type.Optional(Version) },
    { $id: 'ChangeRewardRule' },
  ),
  example: { body: { rate: { percent: 15 } } },
  response: RewardRuleSchema,
  errors: [generalErrors.notFound, generalErrors.conflict],
  check: checkRule,
  handle: (context, input) => changeIn(rewardRules, context, input),
});
