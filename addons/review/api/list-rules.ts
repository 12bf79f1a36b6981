import Type from 'typebox';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { languageOf } from '../../../src/modules/web/index.ts';
import { readRuleFigures } from '../rules/rule-figures.ts';
import { ruleNames } from '../rules/rules.ts';
import { rulesNow } from '../settings.ts';
import { RuleSchema, toRule } from './rule-wire.ts';

export const listReviewRules = operation({
  method: 'GET',
  namespace: 'store',
  path: '/review/rules',
  summary: 'List the rules of the review',
  access: 'admin',
  scope: 'read',
  response: Type.Array(RuleSchema),
  async handle({ db, site, nowMs, request }) {
    const options = rulesNow(site);
    const language = languageOf(site, request);
    const figuresOf = await readRuleFigures(db, nowMs);
    return ruleNames.map((name) => toRule(name, options, figuresOf(name), { site, language }));
  },
});
