import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { emit } from '../events/index.ts';
import { languageOf } from '../web/index.ts';
import { builtInNames, builtInRules } from './built-in-rules.ts';
import { checkRule } from './check-rule.ts';
import {
  answer,
  answerOne,
  changedSince,
  changeIn,
  changing,
  createIn,
  deleting,
  findIn,
  movedTo,
  withInput,
  type Asking,
} from './list-operations.ts';
import type { Stored } from './list-rows.ts';
import {
  RewardRuleSchema,
  ruleExample,
  ruleFields,
  RuleInput,
  RULES_MAX,
  Version,
} from './rule-schema.ts';
import type { RewardRule } from './rule.ts';
import { rewardRules, UNSAVED } from './rules.ts';

const BuiltIn = Type.Object({
  name: StringEnum(builtInNames),
  sentence: Type.String({ description: 'With the current figures of the settings.' }),
});

const RewardRulesSchema = Type.Object(
  {
    version: Type.Integer({ description: 'The version of the list. Every change raises it.' }),
    rules: Type.Array(RewardRuleSchema, { description: "The owner's rules, as they are asked." }),
    built_in: Type.Array(BuiltIn, { description: 'What is asked after them, in this order.' }),
  },
  {
    $id: 'RewardRules',
    examples: [
      {
        version: 17,
        rules: [ruleExample],
        built_in: [{ name: 'store', sentence: 'Everything else earns 10%.' }],
      },
    ],
  },
);

export const listRules = operation({
  method: 'GET',
  namespace: 'store',
  path: '/rewards/rules',
  summary: 'List the reward rules',
  description:
    'For each line of an order the rules are asked from top to bottom; the first that matches and sets a rate wins. ' +
    'The built-in rules follow. Sentences are in the language of the reader (Accept-Language).',
  access: 'admin',
  scope: 'manage',
  response: RewardRulesSchema,
  async handle(context) {
    // Read before the rules: with an older version a change is refused, with a newer one it would overwrite.
    const version = await rewardRules.readVersion(context.db, context.site);
    return answerList(context, await rewardRules.rows.read(context.db), version);
  },
});

async function answerList(context: Asking, rules: readonly Stored<RewardRule>[], version: number) {
  const { site, request } = context;
  return {
    version,
    rules: await answer(rewardRules, context, rules),
    built_in: builtInRules(site, languageOf(site, request)),
  };
}

export const createRule = operation({
  method: 'POST',
  ...changing,
  path: '/rewards/rules',
  summary: 'Create a reward rule',
  description:
    'It applies to orders that come in from now on. A new rule is the last one unless `position` is sent. ' +
    '`hidden_by` names a rule above that always decides before it.',
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
    const said = await answerOne(rewardRules, context, movedTo(rules, shown, place), shown);
    return { sentence: said.sentence, hidden_by: said.hidden_by };
  },
});

export const changeRule = operation({
  method: 'PATCH',
  ...changing,
  path: '/rewards/rules/{id}',
  summary: 'Change a reward rule',
  description:
    'Changes the fields that are sent; each is replaced as a whole. Orders that came in before keep their rates. With ' +
    '`version`, a rule that was changed after it is not changed again: 409.',
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

export const deleteRule = deleting(rewardRules, {
  path: '/rewards/rules/{id}',
  summary: 'Delete a reward rule',
  description:
    'Orders that came in before keep their rates. With `version`, a rule that was changed after it is not deleted: 409.',
  deleted: { $id: 'DeletedRewardRule', version: 18 },
});

export const rulesReordered = defineEvent(
  'reward.rules_reordered',
  'The reward rules were put into another order.',
  Type.Object({
    rule_ids: Type.Array(Type.Integer(), {
      description: 'All rules, in the order they are asked.',
    }),
  }),
  { id: 153, timestamp: '2026-03-02T16:50:12.618Z', data: { rule_ids: [6, 5] } },
  'reward_rule',
);

export const orderRules = operation({
  method: 'PUT',
  ...changing,
  path: '/rewards/rules/order',
  summary: 'Put the reward rules into an order',
  description: 'If the list was changed after `version`, the order is not changed: 409.',
  body: Type.Object(
    {
      ids: Type.Array(Id('A rule.'), {
        maxItems: RULES_MAX,
        uniqueItems: true,
        description: 'All rules, in the order in which they are to be asked.',
      }),
      version: Version,
    },
    { $id: 'OrderRewardRules' },
  ),
  example: { body: { ids: [4], version: 17 } },
  response: RewardRulesSchema,
  errors: [generalErrors.conflict],
  async handle(context, { ids, version }) {
    const { db, caller, nowMs } = context;
    const list = await rewardRules.open(context);
    const inOrder = list.stored.map(({ item }) => item.id);
    // Also when a change is sent again because its first response was lost.
    if (isDeepStrictEqual(ids, inOrder)) return answerList(context, list.stored, list.version);
    if (version !== list.version) throw changedSince(rewardRules, list.version);
    const rules = ids.flatMap((id) => list.stored[inOrder.indexOf(id)] ?? []);
    if (rules.length !== ids.length || ids.length !== inOrder.length) {
      throw invalidParameter('ids', 'must be the ids of all rules, each once');
    }
    await rewardRules.rows.place(db, rules);
    await rewardRules.finish(context, list);
    emit(db, rulesReordered, {
      objectId: 0,
      userId: actorId(caller),
      info: 'Reward rules reordered.',
      data: { rule_ids: ids },
      nowMs,
    });
    return answerList(context, rules, list.next);
  },
});
