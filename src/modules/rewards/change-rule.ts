import Type from 'typebox';
import { isDeepStrictEqual } from 'node:util';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { finishChange, movedTo, openList, requireRule, requireSeen } from './change-list.ts';
import { checkRule } from './check-rule.ts';
import { answerRules } from './rule-answer.ts';
import { emitRuleChange } from './rule-events.ts';
import { withChanges } from './rule-input.ts';
import { placeRules, updateRule, type StoredRule } from './rule-rows.ts';
import { RewardRuleSchema, ruleFields, Version } from './rule-schema.ts';

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
  params: Type.Object({ id: Id('The rule.') }),
  body: Type.Object(
    { ...ruleFields, version: Type.Optional(Version) },
    { $id: 'ChangeRewardRule' },
  ),
  example: { body: { rate: { percent: 15 } } },
  response: RewardRuleSchema,
  errors: [generalErrors.notFound, generalErrors.conflict],
  check: checkRule,
  async handle(context, { id, version: seen, position, ...changes }) {
    const { db, site, nowMs } = context;
    const list = await openList(db, site);
    const before = requireRule(list, id);
    const rule = await withChanges(db, site, before.rule, changes);
    const isMoved = position !== undefined && position !== list.rules.indexOf(before) + 1;
    // Also when a change is sent again because its first response was lost.
    if (!isMoved && isDeepStrictEqual(rule, before.rule)) {
      return (await answerRules(context, list.rules, id))[0]!;
    }
    requireSeen(before, seen);
    const version = list.next;
    const changed: StoredRule = { rule, position: before.position, version };
    await updateRule(db, rule, { version, nowMs });
    const rules = isMoved
      ? movedTo(list.rules, changed, position)
      : list.rules.map((one) => (one === before ? changed : one));
    if (isMoved) await placeRules(db, rules);
    await finishChange(db, site, list, context);
    await emitRuleChange(db, site, { before: before.rule, after: rule }, context);
    return (await answerRules(context, rules, id))[0]!;
  },
});
