import type { Reader } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import {
  bonusSentence,
  countsMoney,
  goodsNamesOf,
  isConcerned,
  windowAt,
  type Earner,
  type RewardCounter,
  type RewardRule,
} from '../rewards/index.ts';
import { activeBonuses, bonusList } from './bonus-list.ts';
import { chanceOn, takes, type Chance } from './bonus-windows.ts';
import { affiliatesOf } from './check-rows.ts';
import { Counters } from './counters.ts';
import { findPaymentsOf } from './payment-rows.ts';

interface ProgressReader extends Earner {
  readonly language: Language;
  readonly nowMs: number;
}

/**
 * How far an affiliate is with those of its rules that have steps and apply today, and with the bonuses that it can
 * still get, or has got for the current window.
 */
export async function readProgress(
  db: Reader,
  site: Site,
  affiliate: ProgressReader,
  rules: readonly RewardRule[],
) {
  const { id, nowMs } = affiliate;
  const day = site.calendar.dayOf(nowMs);
  const stepped = rules.flatMap(({ id: rule_id, from, to, rate: { steps } }) =>
    steps && (from ?? day) <= day && (to ?? day) >= day
      ? [{ rule_id, ...steps, ...windowAt(steps.window, day) }]
      : [],
  );
  const bonuses = (await activeBonuses(site)).hasActive ? await bonusList.read(db) : [];
  const chances = bonuses
    .filter(({ active, who }) => active && isConcerned(affiliate, who))
    .map((bonus) => chanceOn(site, bonus, day, nowMs))
    .filter((chance) => chance !== undefined);
  const goals = chances.flatMap(({ goal, noneIn }) => [goal, noneIn].filter((one) => !!one));
  const withBonuses = chances.length > 0 ? [id] : [];
  const [counters, payments, [member]] = await Promise.all([
    Counters.read(db, [...stepped, ...goals], [id]),
    findPaymentsOf(db, withBonuses),
    db.allByKeys(affiliatesOf, withBonuses),
  ]);
  const isPaid = (chance: Chance) =>
    payments.some(
      (payment) => payment.bonus_id === chance.bonus.id && takes(site, payment, chance),
    );
  const isOpen = ({ noneIn, acceptedSince = 0 }: Chance) =>
    (member?.registered_at ?? 0) >= acceptedSince &&
    !(noneIn && counters.valueOf(id, noneIn) >= noneIn.at);
  return {
    steps: stepped.map((one) => stepProgress(site, one, counters.valueOf(id, one))),
    bonuses: chances
      .filter((chance) => isPaid(chance) || isOpen(chance))
      .map((chance) => ({
        ...bonusProgress(site, affiliate, chance, counters),
        paid: isPaid(chance),
      })),
  };
}

type Stepped = NonNullable<RewardRule['rate']['steps']> & { readonly rule_id: number };

function stepProgress(site: Site, { rule_id, by, window, steps }: Stepped, counted: number) {
  // Amounts were checked against the currency when the rule was saved.
  const stored = (from: number) => (countsMoney(by) ? site.currency.toMinor(from)! : from);
  // The first step also holds below 0, where refunds may bring a counter.
  const reached = Math.max(
    0,
    steps.findLastIndex(({ from }) => counted >= stored(from)),
  );
  const next = steps[reached + 1];
  return {
    rule_id,
    by,
    window,
    value: shown(site, by, counted),
    percent: steps[reached]!.percent,
    next: next ? { ...next, missing: shown(site, by, stored(next.from) - counted) } : null,
  };
}

function bonusProgress(
  site: Site,
  { id, coupons, language }: ProgressReader,
  { bonus, goal }: Chance,
  counters: Counters,
) {
  const none = { groups: new Map(), affiliates: new Map(), stores: new Map() };
  const names = { ...none, coupons, goods: goodsNamesOf(site) };
  return {
    id: bonus.id,
    sentence: bonusSentence(bonus, names, language, site, 'affiliate'),
    by: goal?.by ?? null,
    value: goal ? shown(site, goal.by, counters.valueOf(id, goal)) : 1,
    at: goal ? shown(site, goal.by, goal.at) : 1,
  };
}

/** A number as responses have it: amounts in major units. */
function shown({ currency }: Site, by: RewardCounter['by'], counted: number): number {
  return countsMoney(by) ? currency.toMajor(counted) : counted;
}
