import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { checkRule } from './check-rule.ts';
import { createIn } from './list-operations.ts';
import { RewardRuleSchema, RuleInput } from './rule-schema.ts';
import { rewardRules } from './rules.ts';

export const createRule = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/rules',
  summary: 'Create a reward rule',
  description:
    'It applies to orders that come in from now on. A new rule is the last one unless `position` is sent. ' +
    '`hidden_by` names a rule above that always decides before it.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: RuleInput,
  example: {
    body: {
      name: 'Candles for Gold',
      who: { groups: ['Gold'] },
      what: { categories: ['candles'] },
      order: { customer: 'first' },
      to: '2026-11-30',
      rate: { percent: 15 },
    },
  },
  status: 201,
  response: RewardRuleSchema,
  errors: [rewardRules.tooMany, generalErrors.conflict],
  check: checkRule,
  handle: (context, input) => createIn(rewardRules, context, input),
});
