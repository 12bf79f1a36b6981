import { median, percent, rounded, split, sum, usual } from './days.ts';

/** A day of a code. */
export interface CodeDay {
  readonly orders: number;
  /** Orders with the code, without a click on a link of its affiliate. */
  readonly unlinked: number;
  readonly clicks: number;
}

export interface LeakOptions {
  readonly times: number;
  readonly orders: number;
}

interface LeakFigures {
  readonly orders: number;
  readonly share: number;
  readonly usual: number;
  readonly usual_share: number;
}

/**
 * Whether a code is used on the last day by people who did not come from its affiliate: by its number of orders without
 * a click, unless as many more people than usual have clicked, as after a new video, and by their share. A code that is
 * mostly used without a link cannot have three times that share: there the number is compared with the second largest of
 * a day as well; the largest may be a launch, or the day on which the leak began. `days` are in order, without gaps.
 */
export function leak(
  days: readonly CodeDay[],
  { times, orders: minimum }: LeakOptions,
): LeakFigures | undefined {
  const { today, history } = split(days) ?? {};
  if (!today || !history || today.unlinked < minimum) return undefined;
  const numbers = history.map(({ unlinked }) => unlinked);
  const share = today.unlinked / Math.max(today.orders, today.unlinked);
  const usualShare = usualShareOf(history);
  const usualNumber = usual(numbers);
  const expected = (usualNumber + 1) * risenClicks(today, history);
  const isLeak =
    today.unlinked > times * expected &&
    (usualShare * times < 1
      ? share > usualShare * times
      : today.unlinked > (numbers.toSorted((a, b) => b - a)[1] ?? 0));
  if (!isLeak) return undefined;
  return {
    orders: today.unlinked,
    share: percent(share),
    usual: rounded(usualNumber),
    usual_share: percent(usualShare),
  };
}

/** Codes do not leak together: if most of them seem to, their clicks are not recorded any more. */
export function isTrackingFailure(leaked: number, judged: number): boolean {
  return leaked > 5 && leaked > judged / 2;
}

/** The median of the days, or the share of all orders: days of one or two orders say little. It is a half for none. */
function usualShareOf(history: readonly CodeDay[]): number {
  const shares = history.filter(({ orders }) => orders > 0).map((day) => day.unlinked / day.orders);
  const orders = sum(history.map((day) => day.orders));
  const unlinked = sum(history.map((day) => day.unlinked));
  return Math.max(median(shares), (unlinked + 1) / (orders + 2));
}

/** How many times as many clicks as usual the day has; at least once. */
function risenClicks(today: CodeDay, history: readonly CodeDay[]): number {
  const before = usual(history.map(({ clicks }) => clicks));
  return Math.max(1, (today.clicks + 1) / (before + 1));
}
