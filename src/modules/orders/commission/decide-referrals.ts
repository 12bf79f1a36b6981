import type { IndexedRule } from '../../rewards/index.ts';
import { creditedTo, type CreditedReferral } from '../credited-referral.ts';
import type { PreparedOrder } from '../order-input.ts';
import { isSharing, type DraftReferral } from '../several-affiliates.ts';
import { decideRates, matchingRules } from './decide-rates.ts';
import {
  factsOf,
  ratedOrder,
  storedFacts,
  type Facts,
  type RatedOrder,
  type StoredFacts,
} from './facts.ts';
import type { OrderFacts } from './order-facts.ts';
import type { ReferralTerms } from './referral-terms.ts';

/** A referral with the facts and rules that decide about it, as far as no sum decides. */
export interface AskedReferral {
  readonly credited: CreditedReferral;
  /** Undefined where neither facts nor rules decide. */
  readonly asked: AskedFacts | undefined;
}

interface AskedFacts {
  readonly rated: RatedOrder;
  readonly stored: StoredFacts | undefined;
  readonly facts: Facts;
  readonly matching: readonly IndexedRule[];
  /** It was decided before; a part that joins a shared commission then takes the facts of that. */
  readonly kept: boolean;
  /** Whether the sums of the matching rules are needed. A referral keeps its counters, but what limits have left changes. */
  readonly asksSums: boolean;
}

/** Finds which rules match a referral, and asks for their sums. */
export function askReferral(
  source: OrderFacts,
  order: PreparedOrder,
  storeId: number | null,
  credited: CreditedReferral,
): AskedReferral {
  const { terms, kept } = credited;
  if (!terms || isPlain(credited)) return { credited, asked: undefined };
  const rated = ratedOrder(order, storeId);
  const stored = kept ? storedFacts(credited.row) : source.momentOf(order, credited);
  const facts = kept ? factsOf(credited.row) : { ...stored, ...creditedTo(credited) };
  const matching = matchingRules(terms, rated, facts);
  const known = kept ? stored?.counters : undefined;
  const asksSums = matching.some(
    ({ rule, limitAmount }) =>
      limitAmount !== null || (rule.rate.steps && known?.[rule.id] === undefined),
  );
  if (asksSums) source.askSums(sumsOf(order, credited, matching));
  return { credited, asked: { rated, stored, facts, matching, kept, asksSums } };
}

/** A part of a shared commission has the terms and facts of the leading affiliate; what limits per affiliate have left is its own. */
export function askPart(
  source: OrderFacts,
  order: PreparedOrder,
  { credited: { terms, row, share: led }, asked: leading }: AskedReferral,
  { credited: own, asked }: AskedReferral,
): AskedReferral {
  const share = led ?? leading!.stored?.share;
  const credited = { ...own, terms, row: { ...own.row, terms: row.terms }, share };
  const { spent: _, ...facts } = leading!.stored ?? {};
  const spent = leading!.matching.flatMap(({ rule: { id, limit } }) => {
    const known = (limit?.per === 'affiliate' ? asked : leading)!.stored?.spent?.[id];
    return known === undefined ? [] : [[id, known] as const];
  });
  const stored = { ...facts, ...(spent.length > 0 && { spent: Object.fromEntries(spent) }) };
  if (leading!.asksSums) source.askSums(sumsOf(order, credited, leading!.matching));
  return { credited, asked: { ...leading!, stored } };
}

/** Decides the rates of a referral: the same for the same order, terms and facts. */
export function decideReferral(
  source: OrderFacts,
  order: PreparedOrder,
  { credited, asked }: AskedReferral,
): DraftReferral {
  const { previous, row, terms, share, self, ownerEmail } = credited;
  const draft = { previous, row, ownerEmail, credited };
  // Rates that were decided before terms were stored stay as they are.
  if (!terms) return { ...draft, terms: { ...storedTerms(previous!), self } };
  if (!asked) {
    const rates = terms.plainRates!;
    return { ...draft, terms: { rates, rules: terms.base, self } };
  }
  const { rated, stored, facts, matching, kept, asksSums } = asked;
  let now = stored;
  let spent: StoredFacts['spent'];
  if (asksSums) {
    const coupon = isSharing({ credited, asked }) ? undefined : row.coupon_id;
    const sumsAsked = { ...sumsOf(order, credited, matching), coupon };
    const sums = source.withSums(stored, sumsAsked);
    now = kept ? withKeptSums(sums, stored, credited.recounts) : sums;
    spent = spentNow(matching, now.spent, sums.spent, source.sums.limits.held(sumsAsked));
  }
  if (share) now = { ...now, share };
  const deciding = now === stored ? facts : { ...facts, ...now };
  const rates = decideRates(terms, rated, spent ? { ...deciding, spent } : deciding, matching);
  return {
    ...draft,
    row: { ...row, facts: now ? JSON.stringify(now) : null },
    terms: { rates, rules: terms.base, self },
  };
}

/** Most orders of a store without rules need no more than the rates of their coupon. */
function isPlain({ terms, kept, payment, share }: CreditedReferral): boolean {
  return !kept && !payment && !share && !terms!.index && terms!.plainRates !== undefined;
}

/** A decided order keeps its counters. What its limits have left is asked each time that it begins to count. */
function withKeptSums(
  now: StoredFacts,
  kept: StoredFacts | undefined,
  recounts: boolean,
): StoredFacts {
  const counters = { ...now.counters, ...kept?.counters };
  const spent = recounts ? { ...kept?.spent, ...now.spent } : { ...now.spent, ...kept?.spent };
  return {
    ...now,
    ...(Object.keys(counters).length > 0 && { counters }),
    ...(Object.keys(spent).length > 0 && { spent }),
  };
}

/**
 * By rule, what leaves as much of its limit as the referral may earn: a version keeps what the one before earned, and
 * earns more only as far as others have not taken it since.
 */
function spentNow(
  matching: readonly IndexedRule[],
  decided: StoredFacts['spent'],
  others: StoredFacts['spent'],
  held: StoredFacts['spent'],
): StoredFacts['spent'] {
  if (!decided || !others) return decided;
  const spent: Record<string, number> = { ...decided };
  for (const { rule, limitAmount } of matching) {
    const { id } = rule;
    if (limitAmount === null || others[id] === undefined) continue;
    const left = limitAmount - others[id];
    spent[id] = Math.max(decided[id] ?? 0, limitAmount - Math.max(left, held?.[id] ?? 0));
  }
  return spent;
}

function sumsOf(
  order: PreparedOrder,
  credited: CreditedReferral,
  matching: readonly IndexedRule[],
) {
  const rules = matching.map(({ rule }) => rule);
  const { affiliate } = creditedTo(credited);
  return { order, affiliate, earner: credited.row.user_id, rules };
}

function storedTerms({ rates }: { readonly rates: string }): ReferralTerms {
  // Only terms of referrals are stored there.
  return JSON.parse(rates) as ReferralTerms;
}
