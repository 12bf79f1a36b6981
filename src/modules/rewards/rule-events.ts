import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { siteLanguage } from '../store-profile/index.ts';
import type { RewardRule } from './rule.ts';
import { readNames } from './rule-names.ts';
import { ruleSentence } from './sentences.ts';

const Sentence = (description: string) =>
  Type.String({ description: `${description}, in the language of the site.` });
const which = { rule_id: Type.Integer({ description: 'The rule.' }) };
const now = {
  sentence: Sentence('The rule in a sentence'),
  active: Type.Boolean({ description: 'Whether the rule is asked.' }),
};
const OBJECT = 'reward_rule';

const first = 'Affiliates of Gold earn 12 % on candles.';
const second = 'Affiliates of Gold earn 15 % on candles.';

const ruleCreated = defineEvent(
  'reward.rule_created',
  'A reward rule was created.',
  Type.Object({ ...which, ...now }),
  {
    id: 150,
    timestamp: '2026-03-02T10:14:05.402Z',
    data: { rule_id: 4, sentence: first, active: true },
  },
  OBJECT,
);

const ruleChanged = defineEvent(
  'reward.rule_changed',
  'A reward rule was changed or moved. If it was only moved, switched on or off, both sentences are the same.',
  Type.Object({ ...which, ...now, previous: Sentence('The rule before the change') }),
  {
    id: 151,
    timestamp: '2026-03-02T10:20:31.077Z',
    data: { rule_id: 4, sentence: second, active: true, previous: first },
  },
  OBJECT,
);

const ruleRemoved = defineEvent(
  'reward.rule_removed',
  'A reward rule was deleted.',
  Type.Object({ ...which, previous: Sentence('The rule before it was deleted') }),
  { id: 152, timestamp: '2026-03-02T16:45:58.930Z', data: { rule_id: 4, previous: second } },
  OBJECT,
);

export const rulesReordered = defineEvent(
  'reward.rules_reordered',
  'The reward rules were put into another order.',
  Type.Object({
    rule_ids: Type.Array(Type.Integer(), {
      description: 'All rules, in the order they are asked.',
    }),
  }),
  { id: 153, timestamp: '2026-03-02T16:50:12.618Z', data: { rule_ids: [6, 5] } },
  OBJECT,
);

export const ruleEvents = [ruleCreated, ruleChanged, ruleRemoved, rulesReordered];

/** Emits the event for a rule before and after its change; one of them may be absent. */
export async function emitRuleChange(
  tx: Transaction,
  site: Site,
  { before, after }: { before?: RewardRule; after?: RewardRule },
  { caller, nowMs }: { caller: Caller; nowMs: number },
): Promise<void> {
  const rules = [before, after].filter((rule) => rule !== undefined);
  // Events are kept when the data of a person is erased, so they have the ids of people, not their names.
  const names = { ...(await readNames(tx, site, rules)), affiliates: new Map<number, string>() };
  const language = site.settings.get(siteLanguage);
  const [previous, sentence] = [before, after].map(
    (rule) => rule && ruleSentence(rule, names, language, site),
  );
  const rule_id = rules[0]!.id;
  const active = after?.active ?? false;
  const common = { objectId: rule_id, userId: actorId(caller), nowMs };
  if (previous === undefined) {
    const info = `Reward rule ${rule_id} created: ${sentence}`;
    emit(tx, ruleCreated, { ...common, info, data: { rule_id, sentence: sentence!, active } });
  } else if (sentence === undefined) {
    const info = `Reward rule ${rule_id} deleted: ${previous}`;
    emit(tx, ruleRemoved, { ...common, info, data: { rule_id, previous } });
  } else {
    const info = `Reward rule ${rule_id} changed: ${sentence}`;
    emit(tx, ruleChanged, { ...common, info, data: { rule_id, sentence, active, previous } });
  }
}
