import Type, { type Static } from 'typebox';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { affiliateWordsIn } from '../../../src/modules/store-profile/index.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { textIn } from '../../../src/shared/texts.ts';
import { isMostlyFalse, type RuleFigures } from '../rules/rule-figures.ts';
import {
  actions,
  actionsOf,
  anyOptions,
  defaultOptions,
  ruleNames,
  type AllRuleOptions,
  type RuleName,
} from '../rules/rules.ts';
import '../texts.ts';

export const RuleSchema = Type.Object(
  {
    name: StringEnum(ruleNames, { description: 'The name of the rule.' }),
    sentence: Type.String({
      description: 'What the rule looks at, in the language of the reader (Accept-Language).',
    }),
    is_default: Type.Boolean({ description: 'Whether it has the options of a new installation.' }),
    actions: Type.Array(StringEnum(actions), { description: 'What it can do.' }),
    hits: Type.Integer({ description: 'How many cases it opened in the last 90 days.' }),
    confirmed: Type.Integer({ description: 'How many of them a person rejected.' }),
    false_alarms: Type.Integer({ description: 'How many of them a person cleared.' }),
    turn_off_proposed: Type.Boolean({
      description:
        'Whether fewer than one in five of its decided cases were confirmed, of five at least.',
    }),
    ...anyOptions,
  },
  {
    $id: 'ReviewRule',
    examples: [
      {
        name: 'first_order_above',
        sentence: 'The first order of one of the affiliates is above an amount.',
        is_default: false,
        actions: ['off', 'note', 'hold', 'reject'],
        hits: 12,
        confirmed: 1,
        false_alarms: 8,
        turn_off_proposed: true,
        action: 'hold',
        amount: 500,
      },
    ],
  },
);

export function toRule(
  name: RuleName,
  options: AllRuleOptions,
  figures: RuleFigures,
  { site, language }: { readonly site: Site; readonly language: Language },
): Static<typeof RuleSchema> {
  return {
    name,
    sentence: textIn(language, `server.review.rule.${name}`, affiliateWordsIn(site, language)),
    is_default: JSON.stringify(options[name]) === JSON.stringify(defaultOptions[name]),
    actions: [...actionsOf(name)],
    ...figures,
    turn_off_proposed: options[name].action !== 'off' && isMostlyFalse(figures),
    ...options[name],
  };
}
