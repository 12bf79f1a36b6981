import { percent, rounded, split, usual } from './days.ts';

/** A day of an affiliate. */
export interface VolumeDay {
  readonly orders: number;
  readonly clicks: number;
  /** Clicks of the day that led to an order. */
  readonly conversions: number;
}

/** What the affiliates who were active on the day have: medians. */
export interface ProgramDay {
  readonly orders: number;
  readonly clicks: number;
}

export interface VolumeOptions {
  readonly times: number;
  readonly orders: number;
  readonly clicks: number;
  readonly conversion: number;
}

type VolumeFigures =
  | {
      readonly what: 'orders' | 'clicks';
      readonly count: number;
      readonly usual: number;
      readonly median: number;
    }
  | { readonly what: 'conversion'; readonly count: number; readonly conversion: number };

/** Fewer active days are no history. */
const ACTIVE_DAYS_MIN = 7;
/** So many orders must have followed a click before their share of the clicks says something. */
const CONVERSIONS_MIN = 20;
/** If orders and clicks rise together, more people came and bought as usual: a new video, a sale. */
const TOGETHER = 3;
/** Added to both sides of a comparison, so that hardly any history does not make any number large. */
const FEW = { orders: 0.2, clicks: 5 };

/**
 * Whether the last day of an affiliate has far more orders or clicks than their days before and than others have, or
 * whether nearly every click of the last days became an order. `days` are in order, without gaps.
 */
export function unusualVolume(
  days: readonly VolumeDay[],
  program: ProgramDay,
  { times, orders, clicks, conversion }: VolumeOptions,
): VolumeFigures | undefined {
  const { today, history } = split(days) ?? {};
  if (!today || !history) return undefined;
  const active = history.filter((day) => day.orders > 0 || day.clicks > 0).length;
  const before = (what: 'orders' | 'clicks') =>
    active < ACTIVE_DAYS_MIN ? program[what] : usual(history.map((day) => day[what]));
  const risen = {
    orders: (today.orders + FEW.orders) / (before('orders') + FEW.orders),
    clicks: (today.clicks + FEW.clicks) / (before('clicks') + FEW.clicks),
  };
  const minimum = { orders, clicks };
  for (const what of ['orders', 'clicks'] as const) {
    const other = what === 'orders' ? 'clicks' : 'orders';
    if (
      today[what] >= minimum[what] &&
      risen[what] > times &&
      today[what] > times * program[what] &&
      risen[what] > TOGETHER * risen[other]
    ) {
      const figures = { usual: rounded(before(what)), median: rounded(program[what]) };
      return { what, count: today[what], ...figures };
    }
  }
  const { converted, share } = lastConversions([...history, today]);
  if (converted < CONVERSIONS_MIN || share <= conversion) return undefined;
  return { what: 'conversion', count: converted, conversion: percent(share) };
}

/** Of the last days that have enough of them, so that a change shows soon. */
function lastConversions(days: readonly VolumeDay[]): { converted: number; share: number } {
  let converted = 0;
  let clicks = 0;
  for (const day of days.toReversed()) {
    converted += day.conversions;
    clicks += day.clicks;
    if (converted >= CONVERSIONS_MIN) break;
  }
  return { converted, share: converted / Math.max(clicks, 1) };
}
