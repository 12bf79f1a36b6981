import { dateText, moneyText, percentText } from '../src/shared/formats.ts';
import { keptFormat } from '../src/shared/kept-format.ts';
import { program } from './session.ts';
import { currentLanguage } from './words.ts';

function cached<F>(name: string, make: () => F): F {
  return keptFormat(`${name} ${currentLanguage()}`, make);
}

/** An amount in the currency of the store, or in another one. */
export function formatMoney(amount: number, currency = program.value?.currency ?? 'USD'): string {
  const isOwn = currency === program.value?.currency;
  const decimals = isOwn ? program.value!.currency_decimals : undefined;
  return moneyText({ code: currency, decimals }, currentLanguage(), amount);
}

/** For the axis of a chart: without decimals where there are none. */
export function formatWholeMoney(amount: number): string {
  const currency = program.value?.currency ?? 'USD';
  const options = {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  } as const;
  const format = cached(
    `axis ${currency}`,
    () => new Intl.NumberFormat(currentLanguage(), options),
  );
  return format.format(amount);
}

/** A measured share: 0.123 is "12.3%". */
export function formatPercent(share: number, digits = 1): string {
  return percentText(currentLanguage(), share * 100, digits);
}

/** A rate that someone has set, as exact as it is: 12.5 is "12.5%". */
export function formatRate(percent: number): string {
  return percentText(currentLanguage(), percent);
}

/** `+12 %`, for the change against the period before. */
export function formatChange(share: number): string {
  const options = {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  } as const;
  return cached('change', () => new Intl.NumberFormat(currentLanguage(), options)).format(share);
}

type DateStyle = 'day' | 'short' | 'month' | 'clock' | 'time' | 'exact';

const styles: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'long' },
  short: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  clock: { timeStyle: 'short' },
  time: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', second: '2-digit' },
  exact: { dateStyle: 'full', timeStyle: 'short' },
};

/**
 * A date of the API: a day or a local time of the store. Both are formatted as they are, so that an affiliate
 * in another time zone reads the day that the store counts.
 */
export function formatDate(text: string, style: DateStyle): string {
  const isDay = !text.includes('T');
  const isThisYear = text.startsWith(storeToday().slice(0, 4));
  const options: Intl.DateTimeFormatOptions = {
    ...styles[style],
    ...(style === 'exact' && isDay && { timeStyle: undefined }),
    ...((style === 'day' || style === 'short') && !isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  };
  return dateText(currentLanguage(), Date.parse(asUtc(text)), options);
}

const DAY_MS = 86_400_000;
const DAYS_RELATIVE = 6;

/** `today`, `yesterday`, `in 3 days`; the date itself when it is further away. */
export function formatRelative(text: string): string {
  const days = Math.round(
    (Date.parse(`${text.slice(0, 10)}T00:00Z`) - Date.parse(`${storeToday()}T00:00Z`)) / DAY_MS,
  );
  if (Math.abs(days) > DAYS_RELATIVE) return formatDate(text, 'short');
  const make = () => new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  return cached('relative', make).format(days, 'day');
}

export function isToday(text: string): boolean {
  return text.startsWith(storeToday());
}

/** The current day of the store. */
export function storeToday(): string {
  return storeDay(Date.now());
}

/** The day of the store this many days ago. */
export function daysAgo(days: number): string {
  return daysBefore(storeToday(), days);
}

/** The day this many days before another. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}

function storeDay(instantMs: number): string {
  const timeZone = program.value?.timezone ?? 'UTC';
  // Swedish dates are written as in ISO 8601.
  const format = cached(`today ${timeZone}`, () => new Intl.DateTimeFormat('sv-SE', { timeZone }));
  return format.format(instantMs);
}

function asUtc(text: string): string {
  if (!text.includes('T')) return `${text}T00:00Z`;
  return /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`;
}

/** The size of a file, or how large one may be. */
export function formatBytes(bytes: number): string {
  const isMega = bytes >= 1_000_000;
  const unit = isMega ? 'megabyte' : 'kilobyte';
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return cached(unit, () => new Intl.NumberFormat(currentLanguage(), options)).format(
    isMega ? bytes / 1_000_000 : Math.ceil(bytes / 1000),
  );
}
