import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { storedSetting, storeSettings } from '../../../src/modules/settings/index.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { readRuleFigures } from '../rules/rule-figures.ts';
import { anyOptions, checkOptions, ruleNames } from '../rules/rules.ts';
import { changedRules, withDefaults } from '../settings.ts';
import { RuleSchema, toRule } from './rule-wire.ts';

export const changeReviewRule = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/review/rules/{name}',
  summary: 'Change what a rule of the review does',
  description:
    'Changes the fields that are sent. It looks at orders that come in from now on; a rule about affiliates looks at ' +
    'them every hour.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ name: StringEnum(ruleNames, { description: 'The rule.' }) }),
  body: Type.Object(anyOptions, { $id: 'ChangeReviewRule' }),
  example: { body: { action: 'hold' } },
  response: RuleSchema,
  check: checkOptions,
  async handle({ db, site, caller, nowMs, request }, { name, ...options }) {
    // Read under the lock: another request may be changing another rule.
    await db.lock('settings');
    const stored = await storedSetting(db, site, changedRules);
    const value = {
      ...stored,
      [name]: { ...(stored as Record<string, object>)[name], ...options },
    };
    await storeSettings(db, site, [{ setting: changedRules, value }], {
      userId: actorId(caller),
      nowMs,
    });
    const figuresOf = await readRuleFigures(db, nowMs);
    const language = languageOf(site, request);
    return toRule(name, withDefaults(value), figuresOf(name), { site, language });
  },
});
