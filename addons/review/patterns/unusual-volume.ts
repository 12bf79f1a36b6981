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
  options: VolumeOptions,
): VolumeFigures | undefined {
  const { times } = options;
  const { today, history } = split(days) ?? {};
  if (!today || !history) return undefined;
  const active = history.filter((day) => day.orders > 0 || day.clicks > 0).length;
  const before = (what: 'orders' | 'clicks') =>
    active < ACTIVE_DAYS_MIN ? program[what] : usual(history.map((day) => day[what]));
  const risen = {
    orders: (today.orders + FEW.orders) / (before('orders') + FEW.orders),
    clicks: (today.clicks + FEW.clicks) / (before('clicks') + FEW.clicks),
  };
  for (const what of ['orders', 'clicks'] as const) {
    const other = what === 'orders' ? 'clicks' : 'orders';
    if (
      today[what] >= options[what] &&
      risen[what] > times &&
      today[what] > times * program[what] &&
      risen[what] > TOGETHER * risen[other]
    ) {
      const figures = { usual: rounded(before(what)), median: rounded(program[what]) };
      return { what, count: today[what], ...figures };
    }
  }
  return tooManyConversions([...history, today], options);
}

/** Whether nearly every click of the last days became an order: of as many days as have enough orders. */
export function tooManyConversions(
  days: readonly VolumeDay[],
  { conversion }: Pick<VolumeOptions, 'conversion'>,
): VolumeFigures | undefined {
  let converted = 0;
  let clicks = 0;
  for (let i = days.length - 1; i >= 0 && converted < CONVERSIONS_MIN; i -= 1) {
    converted += days[i]!.conversions;
    clicks += days[i]!.clicks;
  }
  const share = converted / Math.max(clicks, 1);
  if (converted < CONVERSIONS_MIN || share <= conversion) return undefined;
  return { what: 'conversion', count: converted, conversion: percent(share) };
}

/** Whether a day has enough orders or clicks to be compared with others. */
export function isLarge({ orders, clicks }: VolumeDay, minimum: VolumeOptions): boolean {
  return orders >= minimum.orders || clicks >= minimum.clicks;
}

/** Whether the days before a day have to be looked at; nearly all need not. */
export function mayBeUnusual(day: VolumeDay, options: VolumeOptions): boolean {
  return isLarge(day, options) || day.conversions > options.conversion * day.clicks;
}
