import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { invalidParameter } from '../../kernel/call/parameters.ts';
import { emit } from '../events/index.ts';
import { changedMeanwhile, finishChange, openList } from './change-list.ts';
import { answerList, RewardRulesSchema } from './list-rules.ts';
import { rulesReordered } from './rule-events.ts';
import { placeRules } from './rule-rows.ts';
import { RULES_MAX, Version } from './rule-schema.ts';

export const orderRules = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/rewards/rules/order',
  summary: 'Put the reward rules into an order',
  description: 'If the list was changed after `version`, the order is not changed: 409.',
  access: 'plugin-admin',
  scope: 'manage',
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
    const { db, site, caller, nowMs } = context;
    const list = await openList(db, site);
    // Also when a change is sent again because its first response was lost.
    if (
      isDeepStrictEqual(
        ids,
        list.rules.map(({ rule }) => rule.id),
      )
    ) {
      return answerList(context, list.rules, list.version);
    }
    if (version !== list.version) throw changedMeanwhile(list.version);
    const byId = new Map(list.rules.map((stored) => [stored.rule.id, stored]));
    const rules = ids.flatMap((id) => byId.get(id) ?? []);
    if (rules.length !== ids.length || ids.length !== list.rules.length) {
      throw invalidParameter('ids', 'must be the ids of all rules, each once');
    }
    await placeRules(db, rules);
    await finishChange(db, site, list, context);
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
