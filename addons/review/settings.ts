import Type from 'typebox';
import { StringEnum } from '../../src/kernel/declare/schemas.ts';
import { commissionGroup } from '../../src/kernel/declare/setting-groups.ts';
import {
  defineMoneySetting,
  inGroup,
  type SettingDefinition,
} from '../../src/kernel/declare/setting.ts';
import { perSite, type Site } from '../../src/kernel/declare/site.ts';
import {
  defaultOptions,
  optionsSchema,
  ruleNames,
  type AllRuleOptions,
  type RuleName,
} from './rules/rules.ts';

/** The name of the add-on. */
export const REVIEW = 'review';

const Rules = Type.Object(
  Object.fromEntries(ruleNames.map((name) => [name, Type.Optional(optionsSchema(name))])),
);

/** In the memory of every instance, so an order needs no statement to know which rules look at it. */
export const changedRules: SettingDefinition<typeof Rules> = {
  ...defineMoneySetting(
    'review.rules',
    Rules,
    {},
    'What the rules of the review do, by their names, where that differs from the default: see `GET /review/rules`.',
  ),
  isHidden: true,
};

/** The options of all rules now. They are rebuilt only when the setting has changed. */
export function rulesNow(site: Site): AllRuleOptions {
  const stored = site.settings.get(changedRules);
  const memory = lastRules(site);
  if (memory.stored !== stored) {
    memory.stored = stored;
    memory.options = withDefaults(stored);
  }
  return memory.options;
}

const lastRules = perSite((): { stored: object; options: AllRuleOptions } => ({
  stored: {},
  options: defaultOptions,
}));

export function withDefaults(stored: object): AllRuleOptions {
  const changed = stored as Partial<Record<RuleName, object>>;
  const entries = ruleNames.map((name) => [name, { ...defaultOptions[name], ...changed[name] }]);
  // Each rule has its own options, which the setting's schema has checked.
  return Object.fromEntries(entries) as AllRuleOptions;
}

export const reviewDays = defineMoneySetting(
  'review.days',
  Type.Integer({ minimum: 1, maximum: 365 }),
  14,
  'After how many days something happens to a case that is still open. They begin again when a decision is undone.',
);

export const afterDays = defineMoneySetting(
  'review.after',
  StringEnum(['remind', 'clear', 'reject']),
  'remind',
  'What happens then: "remind" sends an email to the administrators, "clear" and "reject" decide the case.',
);

export const reviewSettings = inGroup(commissionGroup, {
  'Rules of the review': changedRules,
  'Time for a decision, in days': reviewDays,
  'Cases that are still open then': afterDays,
});
