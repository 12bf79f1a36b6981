import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import { readNames, ruleSentence } from '../../rewards/index.ts';
import type { ReferralRow } from '../order-rows.ts';
import { explainRules, losingReasons, type ExplainedRule } from './explain-rules.ts';
import { factsOf, type RatedOrder } from './facts.ts';
import type { Terms } from './terms.ts';

export const DecidingRule = Type.Object(
  {
    id: Type.Integer({ description: 'The reward rule.' }),
    sentence: Type.String({ description: 'The rule in words, as it was when the order came in.' }),
    because: Nullable(
      StringEnum(losingReasons, {
        description:
          'Null for a rule that decided a rate. Otherwise the condition that did not hold, or `above` if rules above ' +
          'it decided everything that it sets.',
      }),
    ),
  },
  { $id: 'DecidingRule' },
);

interface Reading {
  readonly db: Reader;
  readonly site: Site;
  readonly language: Language;
  /** An affiliate reads only what concerns them. */
  readonly isOwner: boolean;
}

/**
 * By coupon, the rules that decided the rates of a referral, and above them the first one that nearly did. Empty if no
 * rule decided.
 */
export async function rulesOfReferrals(
  { db, site, language, isOwner }: Reading,
  order: RatedOrder,
  referrals: readonly ReferralRow[],
  terms: ReadonlyMap<string, Terms>,
): Promise<Map<number, Static<typeof DecidingRule>[]>> {
  const told = new Map<number, ExplainedRule[]>();
  for (const referral of referrals) {
    // The rates of a removed coupon are those of an earlier version of the order.
    const made = referral.dropped ? undefined : terms.get(referral.terms ?? '');
    const all = made ? explainRules(made, order, factsOf(referral)) : [];
    const first = all.findIndex(({ because }) => because === null);
    const nearly = all.slice(0, Math.max(0, first)).find(({ because }) => isNear(because));
    told.set(referral.coupon_id, [
      ...(nearly ? [nearly] : []),
      ...all.filter(({ because }) => because === null),
    ]);
  }
  const named = [...told.values()].flat().map(({ rule }) => rule);
  const names = await readNames(db, site, named);
  const audience = isOwner ? 'owner' : 'affiliate';
  return new Map(
    Array.from(told, ([couponId, rules]) => [
      couponId,
      rules.map(({ rule, because }) => ({
        id: rule.id,
        sentence: ruleSentence(rule, names, language, site, audience),
        because,
      })),
    ]),
  );
}

/** Whether the rule is for the affiliate and for what was bought, so that only the order itself kept it from deciding. */
function isNear(because: ExplainedRule['because']): boolean {
  return because !== null && !['who', 'what', 'above'].includes(because);
}
