import Type from 'typebox';
import { readAll } from '../../db/statements/calls.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../affiliates/index.ts';
import { findCouponsOf } from '../coupons/index.ts';
import type { RateColumns } from '../groups/index.ts';
import {
  activeRules,
  builtInNames,
  builtInRulesOf,
  counterKinds,
  readNames,
  RewardWindow,
  rulesOf,
  ruleSentence,
} from '../rewards/index.ts';
import { languageOf } from '../web/index.ts';
import { readProgress } from './progress.ts';

const groupsOf = readAll<{ user_id: number }, RateColumns & { id: number }>((db, p) =>
  db
    .selectFrom('affiliate_groups')
    .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
    .select(['groups.id', 'groups.percent', 'groups.fixed_per_order', 'groups.fixed_per_product'])
    .where('affiliate_groups.user_id', '=', p.user_id)
    .orderBy('groups.id'),
);

export const getAffiliateRewards = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/rewards',
  summary: 'How an affiliate earns',
  description:
    'For admins and the affiliate itself. The active rules that concern the affiliate, have not ended and are not always ' +
    'decided by one above, in the order in which they are asked, the steps that it has reached, then what applies where none of the rules does, and the bonuses. ' +
    'Sentences address the affiliate, in the language of the reader (Accept-Language).',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: Type.Object(
    {
      rules: Type.Array(Type.Object({ id: Type.Integer(), sentence: Type.String() })),
      steps: Type.Array(
        Type.Object({
          rule_id: Type.Integer(),
          by: StringEnum(counterKinds),
          window: RewardWindow,
          value: Type.Number({ description: 'What the affiliate has in the current window.' }),
          percent: Type.Number({ description: 'The rate of the step that it has reached.' }),
          next: Nullable(
            Type.Object(
              {
                from: Type.Number(),
                percent: Type.Number(),
                missing: Type.Number({ description: 'What it takes to reach the step.' }),
              },
              { description: 'The next step; null on the highest one.' },
            ),
          ),
        }),
        { description: 'For each of the rules that has steps and applies today.' },
      ),
      built_in: Type.Array(
        Type.Object({ name: StringEnum(builtInNames), sentence: Type.String() }),
        { description: 'With the rates of the affiliate; for each coupon, if they differ.' },
      ),
      bonuses: Type.Array(
        Type.Object({
          id: Type.Integer(),
          sentence: Type.String(),
          by: Nullable(StringEnum(counterKinds, { description: 'Null for being accepted.' })),
          value: Type.Number({ description: 'What the affiliate has in the current window.' }),
          at: Type.Number({ description: 'The target.' }),
          paid: Type.Boolean({
            description: 'Paid or held; it may be taken back while it is held.',
          }),
        }),
        { description: 'The active bonuses that the affiliate can get, or has got for now.' },
      ),
    },
    {
      $id: 'AffiliateRewards',
      examples: [
        {
          rules: [
            { id: 5, sentence: 'You earn 10%; 12% from $1,000.00 of sales in a calendar month.' },
          ],
          steps: [
            {
              rule_id: 5,
              by: 'sales',
              window: { kind: 'month' },
              value: 740,
              percent: 10,
              next: { from: 1000, percent: 12, missing: 260 },
            },
          ],
          built_in: [{ name: 'store', sentence: 'Everything else earns 10%.' }],
          bonuses: [
            {
              id: 3,
              sentence: 'You get $50.00 for $1,000.00 of sales in a month.',
              by: 'sales',
              value: 740,
              at: 1000,
              paid: false,
            },
          ],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, request, nowMs }, { id }) {
    await requireOwnAffiliate(db, caller, id);
    const coupons = await findCouponsOf(db, id);
    const groups = await groupsOf(db, { user_id: id });
    const today = site.calendar.dayOf(nowMs);
    const codes = new Map(coupons.map((coupon) => [coupon.id, coupon.code]));
    const earner = { id, groups: groups.map((group) => group.id), coupons: codes };
    const rules = rulesOf(earner, (await activeRules(site)).rules, today);
    const naming = rules.map(({ order }) => ({ who: {}, order }));
    const names = { ...(await readNames(db, site, naming)), coupons: codes };
    const language = languageOf(site, request);
    return {
      rules: rules.map((rule) => ({
        id: rule.id,
        sentence: ruleSentence(rule, names, language, site, 'affiliate'),
      })),
      built_in: builtInRulesOf(site, language, coupons, groups, rules.length > 0),
      ...(await readProgress(db, site, { ...earner, language, nowMs }, rules)),
    };
  },
});
