import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  countsMoney,
  type CounterKind,
  type RewardCounter,
  type RewardRule,
  type RewardWindow,
} from './rule.ts';
import { windowAt, type DayRange } from './window.ts';

/** A counter over some days. */
export interface CountedDays extends Pick<RewardCounter, 'by' | 'counts'>, DayRange {}

/** What an affiliate has collected, in the order in which it is asked. Amounts are minor units. */
type ReadCounters = (
  db: Reader,
  userId: number,
  asked: readonly CountedDays[],
) => Promise<number[]>;

/** The module of bonuses contributes it: what is counted belongs to orders, which depend on this module. */
export const counterValues = new Point<ReadCounters>('rewards.counter-values');

/** The step of a rule that an affiliate has reached, and the next one. Amounts are major units. */
interface StepProgress {
  readonly rule_id: number;
  readonly by: CounterKind;
  readonly window: RewardWindow;
  readonly value: number;
  readonly percent: number;
  /** Null on the highest step. */
  readonly next: {
    readonly from: number;
    readonly percent: number;
    readonly missing: number;
  } | null;
}

/** How far an affiliate is on a day with those of the rules that have steps and apply on it. */
export async function readStepProgress(
  db: Reader,
  site: Site,
  userId: number,
  rules: readonly RewardRule[],
  day: string,
): Promise<StepProgress[]> {
  const stepped = rules.flatMap(({ id, from, to, rate: { steps } }) =>
    steps && (from ?? day) <= day && (to ?? day) >= day ? [{ rule_id: id, ...steps }] : [],
  );
  const [readCounters] = site.registry.contributions(counterValues);
  if (stepped.length === 0 || !readCounters) return [];
  const asked = stepped.map(({ by, counts, window }) => ({ by, counts, ...windowAt(window, day) }));
  const values = await readCounters(db, userId, asked);
  const { currency } = site;
  return stepped.map(({ rule_id, by, window, steps }, i) => {
    const counted = values[i]!;
    const isMoney = countsMoney(by);
    // Amounts were checked against the currency when the rule was saved.
    const stored = (from: number) => (isMoney ? currency.toMinor(from)! : from);
    const shown = (value: number) => (isMoney ? currency.toMajor(value) : value);
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
      value: shown(counted),
      percent: steps[reached]!.percent,
      next: next ? { ...next, missing: shown(stored(next.from) - counted) } : null,
    };
  });
}
