import { AMOUNT_MAX, type Currency } from '../../../shared/money.ts';
import type { AffiliateKey, Money } from './model.ts';

/** A value that cannot be used; the message names the column. */
export class RowError extends Error {}

/** `Affiliate ID`, `affiliate_id` and `affiliate-id` are the same column. */
export function columnName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_/, '')
    .replace(/_$/, '');
}

export interface RowFormat {
  /** JSON has numbers and lists; the APIs of some systems give amounts in cents there. */
  readonly isJson: boolean;
  /** Files with semicolons come from places where the comma is the decimal separator. */
  readonly decimalComma: boolean;
  /** Collects the names of columns that were looked for and found. */
  readonly used: Set<string>;
}

/** One record of a file, read by the names of its columns. */
export class Row {
  readonly #cells: ReadonlyMap<string, unknown>;
  readonly format: RowFormat;

  constructor(cells: ReadonlyMap<string, unknown>, format: RowFormat) {
    this.#cells = cells;
    this.format = format;
  }

  get isJson(): boolean {
    return this.format.isJson;
  }

  /** The first of these columns that has a value. */
  text(...names: string[]): string | undefined {
    const value = this.#find(names)?.value;
    return value === undefined || typeof value === 'object' ? undefined : String(value).trim();
  }

  /** An amount in major units. */
  amount(...names: string[]): Money | undefined {
    const found = this.#find(names);
    if (!found) return undefined;
    const major = decimalOf(String(found.value), this.format.decimalComma);
    if (major === undefined) {
      throw new RowError(`${found.name} is no amount: "${String(found.value)}"`);
    }
    return { major };
  }

  /** An amount in the currency's smallest unit, in JSON; in CSV people read major units. */
  cents(...names: string[]): Money | undefined {
    if (!this.isJson) return this.amount(...names);
    const found = this.#find(names);
    if (!found) return undefined;
    const minor = Number(found.value);
    if (!Number.isSafeInteger(minor)) {
      throw new RowError(`${found.name} is not a whole number of cents: "${String(found.value)}"`);
    }
    return { minor };
  }

  /** A percentage from 0 to 100: `12.5`, `12,5 %`. */
  percent(...names: string[]): number | undefined {
    const found = this.amount(...names);
    if (found === undefined || !('major' in found)) return undefined;
    const value = Number(found.major);
    if (value >= 0 && value <= 100) return value;
    throw new RowError(`${names[0]} must be from 0 to 100: ${found.major}`);
  }

  /** The records of a JSON array. */
  list(name: string): Row[] {
    const value = this.#cells.get(columnName(name));
    if (!Array.isArray(value)) return [];
    this.format.used.add(columnName(name));
    return value.map((record: unknown) => new Row(flatten(record), this.format));
  }

  #find(names: readonly string[]): { name: string; value: unknown } | undefined {
    for (const name of names) {
      const column = columnName(name);
      const value = this.#cells.get(column);
      if (this.#cells.has(column)) this.format.used.add(column);
      if (value !== undefined && value !== null && String(value).trim() !== '') {
        return { name, value };
      }
    }
    return undefined;
  }
}

/** Nested objects become columns: `{affiliate: {email}}` is `affiliate_email`. Lists stay as they are. */
export function flatten(record: unknown, prefix = ''): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  if (typeof record !== 'object' || record === null) return cells;
  for (const [name, value] of Object.entries(record)) {
    const column = columnName(prefix + name);
    if (isList(value)) {
      cells.set(column, Object.values(value));
    } else if (typeof value === 'object' && value !== null) {
      for (const [inner, cell] of flatten(value, `${column}_`)) cells.set(inner, cell);
    } else {
      cells.set(column, value);
    }
  }
  return cells;
}

/** PHP writes a list with gaps as an object with numbers as names. */
function isList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name));
}

/** The keys that are known of `{id, email, login, code}`. */
export function keysOf(
  names: Partial<Record<'id' | 'email' | 'login' | 'code', string | undefined>>,
): AffiliateKey[] {
  return (['id', 'email', 'login', 'code'] as const).flatMap((kind) => {
    const name = names[kind];
    return name ? [`${kind}:${name.toLowerCase()}` as const] : [];
  });
}

/**
 * `1,234.50`, `1.234,50`, `$12.50`, `12,50 €` as decimal text; undefined for what is no amount or could be two
 * different ones.
 *
 * @internal Exported for its test.
 */
export function decimalOf(text: string, decimalComma: boolean): string | undefined {
  const bare = text.replaceAll(/[\p{Sc}\p{L}\s'’%]/gu, '');
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(bare)) return undefined;
  const sign = bare.startsWith('-') ? '-' : '';
  const digits = bare.replace(/^[+-]/, '');
  const separator = decimalSeparator(digits, decimalComma);
  if (separator === undefined) return undefined;
  const at = separator === '' ? -1 : digits.lastIndexOf(separator);
  const whole = (at === -1 ? digits : digits.slice(0, at)).replaceAll(/[.,]/g, '');
  const fraction = at === -1 ? '' : digits.slice(at + 1);
  if (/[.,]/.test(fraction)) return undefined;
  return `${sign}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}`;
}

/** The separator before the decimals; empty for none, undefined if that cannot be known. */
function decimalSeparator(digits: string, decimalComma: boolean): '' | '.' | ',' | undefined {
  const isGrouped = (separator: string) =>
    new RegExp(`^\\d{1,3}(\\${separator}\\d{3})+$`).test(digits);
  const [dots, commas] = [digits.split('.').length - 1, digits.split(',').length - 1];
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (commas > 0) {
    if (decimalComma && commas === 1) return ',';
    return isGrouped(',') ? '' : commas === 1 ? ',' : undefined;
  }
  if (dots === 0) return '';
  if (dots > 1) return isGrouped('.') ? '' : undefined;
  return decimalComma && isGrouped('.') ? undefined : '.';
}

/** The amount in the currency's smallest unit. Nothing is rounded: an amount that is finer is refused. */
export function exactAmount(money: Money, currency: Currency): number {
  if ('minor' in money) return inRange(money.minor);
  const [whole = '', fraction = ''] = money.major.replace('-', '').split('.');
  const kept = fraction.slice(0, currency.decimals).padEnd(currency.decimals, '0');
  if (/[1-9]/.test(fraction.slice(currency.decimals))) {
    throw new RowError(`${money.major} has more decimals than ${currency.code} has`);
  }
  const minor = Number(whole + kept);
  return inRange(money.major.startsWith('-') ? -minor + 0 : minor);
}

function inRange(minor: number): number {
  if (Math.abs(minor) > AMOUNT_MAX) throw new RowError('the amount is too large');
  return minor;
}

/** Refuses amounts of another currency than the store's; nothing is converted. */
export function requireCurrency(given: string | undefined, currency: Currency): void {
  if (given === undefined || given.toUpperCase() === currency.code) return;
  throw new RowError(`is in ${given.toUpperCase()}; the store's currency is ${currency.code}`);
}
