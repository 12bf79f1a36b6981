import type { Site } from '../../kernel/declare/site.ts';
import { dayAfter, windowAt, type RewardBonus } from '../rewards/index.ts';
import type { Goal } from './counters.ts';
import type { Payment } from './tables.ts';

/** What has to be reached for one payment of a bonus. */
export interface Chance {
  readonly bonus: RewardBonus;
  /** The key of the payment: the first day of the window, or nothing for once ever. */
  readonly windowFirst: string;
  /** Null for the event `accepted`. */
  readonly goal: Goal | null;
  /** The orders that must not be there: those before the first one. */
  readonly noneIn?: Goal;
  /** Accepted before it, an affiliate gets nothing for it. */
  readonly acceptedSince?: number;
  /** When a percentage is known: the first instant after the window. */
  readonly endsAt?: number;
}

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** The chance of a bonus on a day; undefined if its window was over before the bonus was there, or its target. */
export function chanceOn(
  site: Site,
  bonus: RewardBonus,
  day: string,
  nowMs: number,
): Chance | undefined {
  const { target, once, pays, since } = bonus;
  const sinceDay = site.calendar.dayOf(since);
  if ('event' in target) {
    if (target.event === 'accepted') {
      return { bonus, windowFirst: '', goal: null, acceptedSince: since };
    }
    const orders = { by: 'orders', at: 1 } as const;
    return {
      bonus,
      windowFirst: '',
      goal: { ...orders, counts: 'granted', first: sinceDay, last: LAST_DAY },
      noneIn: { ...orders, counts: 'counted', first: FIRST_DAY, last: dayAfter(sinceDay, -1) },
    };
  }
  const { by, counts, window } = target;
  // The last days are those before now, whenever the order was.
  const range = windowAt(window, window.kind === 'days' ? site.calendar.dayOf(nowMs) : day);
  if (range.last < sinceDay) return undefined;
  const isMoney = by === 'sales' || by === 'commission';
  const at = isMoney ? site.currency.toMinor(target.at)! : target.at;
  return {
    bonus,
    windowFirst: once === 'ever' ? '' : range.first,
    goal: { by, counts, at, ...range },
    ...('percent' in pays && { endsAt: site.calendar.startOfDay(dayAfter(range.last, 1)) }),
  };
}

/** When the target of a changed bonus begins: with its next window, or now if there is none. */
export function targetBegins(
  { calendar }: Pick<Site, 'calendar'>,
  target: RewardBonus['target'],
  nowMs: number,
): number {
  if (!('window' in target)) return nowMs;
  const { last } = windowAt(target.window, calendar.dayOf(nowMs));
  const hasNext = target.window.kind !== 'days' && last !== LAST_DAY;
  return hasNext ? calendar.startOfDay(dayAfter(last, 1)) : nowMs;
}

/**
 * Whether a payment of the bonus leaves nothing for a chance: the chance comes once ever, or the payment was for some of
 * its days. Those are the days of the goal that was reached, whatever the bonus has become since then.
 */
export function takes(
  { calendar }: Pick<Site, 'calendar'>,
  { state, goal, reached_at }: Pick<Payment, 'state' | 'goal' | 'reached_at'>,
  chance: Chance,
): boolean {
  if (state === 'reversed') return false;
  if (chance.windowFirst === '' || !chance.goal) return true;
  const reachedOn = calendar.dayOf(reached_at);
  const { first, last } = goalOf({ goal }) ?? { first: reachedOn, last: reachedOn };
  // A goal without an end was reached by what had happened until then.
  const lastPaid = last === LAST_DAY ? reachedOn : last;
  return first <= chance.goal.last && chance.goal.first <= lastPaid;
}

/** The goal of a payment, as it was when it was reached. */
export function goalOf({ goal }: Pick<Payment, 'goal'>): Goal | null {
  // Only goals are stored there.
  return goal === null ? null : (JSON.parse(goal) as Goal);
}

/** A day of each window of a bonus, from the one in which it was made to the current one. */
export function* windowDays(
  { calendar }: Site,
  { target, since }: RewardBonus,
  nowMs: number,
): Generator<string> {
  const today = calendar.dayOf(nowMs);
  if ('event' in target || target.window.kind === 'days' || target.window.kind === 'always') {
    yield today;
    return;
  }
  for (let day = calendar.dayOf(since); ;) {
    const { first, last } = windowAt(target.window, day);
    if (first > today) return;
    yield first;
    day = dayAfter(last, 1);
  }
}
