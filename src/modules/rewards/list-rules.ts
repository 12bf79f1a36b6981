import Type from 'typebox';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { languageOf } from '../web/index.ts';
import { builtInNames, builtInRules } from './built-in-rules.ts';
import { answer, type Asking } from './list-operations.ts';
import type { Stored } from './list-rows.ts';
import { RewardRuleSchema, ruleExample } from './rule-schema.ts';
import type { RewardRule } from './rule.ts';
import { rewardRules } from './rules.ts';

const BuiltIn = Type.Object({
  name: StringEnum(builtInNames),
  sentence: Type.String({ description: 'With the current figures of the settings.' }),
});

export const RewardRulesSchema = Type.Object(
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

export async function answerList(
  context: Asking,
  rules: readonly Stored<RewardRule>[],
  version: number,
) {
  const { site, request } = context;
  return {
    version,
    rules: await answer(rewardRules, context, rules),
    built_in: builtInRules(site, languageOf(site, request)),
  };
}
