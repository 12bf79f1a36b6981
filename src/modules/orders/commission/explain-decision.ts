import Type, { type Static } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { Nullable, StringEnum } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import {
  countsMoney,
  readNames,
  ruleSentence,
  covers,
  mismatches,
  mismatchOf,
  type RewardRule,
  type RuleNames,
} from '../../rewards/index.ts';
import type { ReferralRow } from '../order-rows.ts';
import { ownOf, type Rates } from './commission.ts';
import { decideRates } from './decide-rates.ts';
import { factsOf, type RatedOrder, type Facts } from './facts.ts';
import type { Terms } from './terms.ts';

/** Why a rule decides nothing: a condition that does not hold, or rules above it that decide everything it sets. */
export const losingReasons = [...mismatches, 'above'] as const;

/** A rule, and why it decides no rate of an order; null if it decides one. */
export interface ExplainedRule {
  readonly rule: RewardRule;
  readonly because: (typeof losingReasons)[number] | null;
}

/**
 * Why these rules and not the others decide the rates of an order: for all rules of the terms, in their order. Empty if
 * the terms have no rules.
 */
export function explainRules(terms: Terms, order: RatedOrder, facts: Facts): ExplainedRule[] {
  if (!terms.index) return [];
  const deciders = decidersOf(terms, order, decideRates(terms, order, facts));
  const lines = order.lines.length > 0 ? order.lines : [undefined];
  return terms.index.rules.map((one) => {
    const isForLines = lines.some((line) => covers(one, line));
    const mismatch = mismatchOf(one, order, facts) ?? (isForLines ? null : 'what');
    return { rule: one.rule, because: mismatch ?? (deciders.has(one.rule.id) ? null : 'above') };
  });
}

/** The rules that decide the rates which the order is computed with. */
function decidersOf({ base }: Terms, { lines }: RatedOrder, rates: Rates) {
  const ofLines = lines.map((line) => ownOf(rates.lines, line));
  // What has no line, such as shipping, earns the general percentage.
  const isGeneral =
    lines.length === 0 || base.includeShipping || base.includeTax || base.includeFees;
  return new Set([
    rates.fixedPerOrder.rule,
    isGeneral ? rates.percent.rule : undefined,
    ...ofLines.flatMap((own) => [own?.percent?.rule, own?.fixedPerProduct?.rule]),
  ]);
}

const RuleId = Type.Integer({ description: 'The reward rule.' });

export const DecidedFrom = Type.Object(
  {
    customer: Nullable(
      StringEnum(['first', 'repeat'], {
        description: 'Whether it was the first order of its customer; null if no rule asked.',
      }),
    ),
    payment: Nullable(
      Type.Integer({ description: 'Which payment of a subscription it is; null without one.' }),
    ),
    counters: Type.Array(
      Type.Object({
        rule_id: RuleId,
        value: Type.Number({ description: 'What the affiliate had collected before this order.' }),
      }),
      { description: 'By rule with steps.' },
    ),
    limits: Type.Array(
      Type.Object({
        rule_id: RuleId,
        earned: Type.Number({ description: 'What the rule had earned before this order.' }),
      }),
      { description: 'By rule that limits a sum.' },
    ),
  },
  {
    $id: 'DecidedFrom',
    description: 'The facts that decided when the order first counted; only for administrators.',
  },
);

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

/** The facts by which a referral was decided, in the units that people read. */
export function decidedFrom(
  { currency }: Site,
  referral: ReferralRow,
  terms: Terms | undefined,
): Static<typeof DecidedFrom> {
  const { customer = null, payment = null, counters = {}, spent = {} } = factsOf(referral);
  const stepsOf = (id: number) => terms?.rules.find((rule) => rule.id === id)?.rate.steps;
  return {
    customer,
    payment,
    counters: Object.entries(counters).map(([id, value]) => {
      const steps = stepsOf(Number(id));
      const isMoney = steps !== undefined && countsMoney(steps.by);
      return { rule_id: Number(id), value: isMoney ? currency.toMajor(value) : value };
    }),
    limits: Object.entries(spent).map(([id, earned]) => ({
      rule_id: Number(id),
      earned: currency.toMajor(earned),
    })),
  };
}

interface Reading {
  readonly db: Reader;
  readonly site: Site;
  readonly language: Language;
  /** An affiliate reads only what concerns them. */
  readonly isOwner: boolean;
  /** The names of products that the order itself brought. */
  readonly products: ReadonlyMap<string, string>;
}

/**
 * By coupon, the rules that decided the rates of a referral, and above them the first one that nearly did. Empty if no
 * rule decided.
 */
export async function rulesOfReferrals(
  { db, site, language, isOwner, products }: Reading,
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
    const nearly = all.findIndex(({ because }, i) => i < first && isNear(because));
    told.set(
      referral.coupon_id,
      all.filter(({ because }, i) => because === null || i === nearly),
    );
  }
  const named = [...told.values()].flat().map(({ rule }) => rule);
  const read = await readNames(db, site, named);
  const goods: RuleNames['goods'] = (kind, id) => {
    const name = read.goods(kind, id);
    return name === id && kind === 'products' ? (products.get(id) ?? id) : name;
  };
  const names = { ...read, goods };
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
