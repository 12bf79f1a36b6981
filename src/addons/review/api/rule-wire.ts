import Type, { type Static } from 'typebox';
import { StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Language } from '../../../shared/languages.ts';
import { textIn } from '../../../shared/texts.ts';
import {
  actions,
  actionsOf,
  anyOptions,
  defaultOptions,
  ruleNames,
  type AllRuleOptions,
  type RuleName,
} from '../rules/rules.ts';

export const RuleSchema = Type.Object(
  {
    name: StringEnum(ruleNames, { description: 'The name of the rule.' }),
    sentence: Type.String({
      description: 'What the rule looks at, in the language of the reader (Accept-Language).',
    }),
    is_default: Type.Boolean({ description: 'Whether it has the options of a new installation.' }),
    actions: Type.Array(StringEnum(actions), { description: 'What it can do.' }),
    ...anyOptions,
  },
  {
    $id: 'ReviewRule',
    examples: [
      {
        name: 'first_order_above',
        sentence: 'The first order of an affiliate is above an amount.',
        is_default: false,
        actions: ['off', 'note', 'hold', 'reject'],
        action: 'hold',
        amount: 500,
      },
    ],
  },
);

export function toRule(
  name: RuleName,
  options: AllRuleOptions,
  language: Language,
): Static<typeof RuleSchema> {
  return {
    name,
    sentence: textIn(language, `server.review.rule.${name}`),
    is_default: JSON.stringify(options[name]) === JSON.stringify(defaultOptions[name]),
    actions: [...actionsOf(name)],
    ...options[name],
  };
}
