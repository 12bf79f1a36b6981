import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { emit } from '../events/index.ts';
import { changedSince } from './list-operations.ts';
import { answerList, RewardRulesSchema } from './list-rules.ts';
import { RULES_MAX, Version } from './rule-schema.ts';
import { rewardRules } from './rules.ts';

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
  namespace: 'store',
  path: '/rewards/rules/order',
  summary: 'Put the reward rules into an order',
  description: 'If the list was changed after `version`, the order is not changed: 409.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
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
