import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { checkRule } from './check-rule.ts';
import { answerOne, findIn, movedTo, withInput } from './list-operations.ts';
import { RewardRuleSchema, RuleInput, ruleExample, RULES_MAX } from './rule-schema.ts';
import { rewardRules, UNSAVED } from './rules.ts';

const { sentence, hidden_by } = RewardRuleSchema.properties;

/** A form shows it while a rule is written. */
export const previewRule = operation({
  method: 'POST',
  namespace: 'store',
  path: '/rewards/rules/sentence',
  summary: 'Say a reward rule as a sentence',
  description:
    'Takes what POST /rewards/rules takes, with the same refusals, and saves nothing. With `id`, the rule is shown in ' +
    'the place of that one.',
  access: 'plugin-admin',
  scope: 'manage',
  body: Type.Object(
    { ...RuleInput.properties, id: Type.Optional(Id('The rule that would be changed.')) },
    { $id: 'PreviewRewardRule' },
  ),
  example: { body: { who: { groups: ['Gold'] }, rate: { percent: 15 } } },
  response: Type.Object(
    { sentence, hidden_by },
    {
      $id: 'RewardRulePreview',
      examples: [{ sentence: ruleExample.sentence, hidden_by: ruleExample.hidden_by }],
    },
  ),
  errors: [generalErrors.notFound],
  check: checkRule,
  // It only reads, and waits for no writer.
  transaction: false,
  async handle(context, { id = UNSAVED, position, ...input }) {
    const rules = await rewardRules.rows.read(context.db);
    const before = id === UNSAVED ? undefined : findIn(rules, id);
    const item = { ...(await withInput(rewardRules, context, input)), id };
    const shown = { item, position: 0, version: 0 };
    const place = position ?? (before ? rules.indexOf(before) + 1 : RULES_MAX + 1);
    const answer = await answerOne(rewardRules, context, movedTo(rules, shown, place), shown);
    return { sentence: answer.sentence, hidden_by: answer.hidden_by };
  },
});
