import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { movedTo, requireRule } from './change-list.ts';
import { checkRule } from './check-rule.ts';
import { answerRules } from './rule-answer.ts';
import { newRule } from './rule-input.ts';
import { readStoredRules } from './rule-rows.ts';
import { RewardRuleSchema, RuleInput, ruleExample, RULES_MAX } from './rule-schema.ts';

/** The id of a rule that is not stored. */
const UNSAVED = 0;

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
    const { db, site } = context;
    const stored = { rules: await readStoredRules(db) };
    const before = id === UNSAVED ? undefined : requireRule(stored, id);
    const rule = { id, ...(await newRule(db, site, input)) };
    const shown = { rule, position: 0, version: 0 };
    const place = position ?? (before ? stored.rules.indexOf(before) + 1 : RULES_MAX + 1);
    const [answer] = await answerRules(context, movedTo(stored.rules, shown, place), id);
    return { sentence: answer!.sentence, hidden_by: answer!.hidden_by };
  },
});
