import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { finishChange, movedTo, openList } from './change-list.ts';
import { checkRule } from './check-rule.ts';
import { answerRules } from './rule-answer.ts';
import { emitRuleChange } from './rule-events.ts';
import { newRule } from './rule-input.ts';
import { insertRule, placeRules } from './rule-rows.ts';
import { RewardRuleSchema, RuleInput, RULES_MAX } from './rule-schema.ts';

export const tooManyRules = defineError(
  'svc_api_too_many_rules',
  409,
  `There are ${RULES_MAX} reward rules already. Delete one first.`,
);

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
  errors: [tooManyRules, generalErrors.conflict],
  check: checkRule,
  async handle(context, input) {
    const { db, site, nowMs } = context;
    const list = await openList(db, site);
    if (list.rules.length >= RULES_MAX) throw new ApiError(tooManyRules);
    const version = list.next;
    const last = (list.rules.at(-1)?.position ?? 0) + 1;
    const rule = await insertRule(db, await newRule(db, site, input), last, { version, nowMs });
    const created = { rule, position: last, version };
    const { position = RULES_MAX } = input;
    const rules = movedTo(list.rules, created, position);
    if (rules.at(-1) !== created) await placeRules(db, rules);
    await finishChange(db, site, list, context);
    await emitRuleChange(db, site, { after: rule }, context);
    const [answer] = await answerRules(context, rules, rule.id);
    return answer!;
  },
});
