import Type, { type Static } from 'typebox';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { Nullable } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Currency } from '../../shared/money.ts';
import type { RateColumns } from './tables.ts';

const text = (pattern: string) => Type.String({ pattern });

/** A number, the same as text, or nothing (`""`, null) for "not set here". */
const Amount = (description: string) =>
  Type.Optional(
    Type.Union([Type.Number({ minimum: 0 }), text('^(\\d{1,12}(\\.\\d{1,6})?)?$'), Type.Null()], {
      description,
    }),
  );

/** The rates that a coupon or a group may set for itself. */
export const rateFields = {
  percent_override: Type.Optional(
    Type.Union(
      [
        Type.Number({ minimum: 0, maximum: 100 }),
        text('^((100(\\.0{1,6})?)|(\\d{1,2}(\\.\\d{1,6})?))?$'),
        Type.Null(),
      ],
      { description: "Percent of the base, instead of the store's." },
    ),
  ),
  fixed_per_order: Amount('A fixed amount for each order.'),
  fixed_per_product: Amount('A fixed amount for each product.'),
};

const Rates = Type.Object(rateFields);
export type RateInput = Static<typeof Rates>;

const ShownRate = (description: string) => Nullable(Type.Number({ description }));

/** The rates as answers show them: numbers, null when not set. */
export const rateSchemas = {
  percent_override: ShownRate("Percent of the base, instead of the store's; null when not set."),
  fixed_per_order: ShownRate('A fixed amount for each order; null when not set.'),
  fixed_per_product: ShownRate('A fixed amount for each product; null when not set.'),
};

export function toRates(rates: RateColumns, currency: Currency) {
  const money = (minor: number | null) => (minor === null ? null : currency.toMajor(minor));
  return {
    percent_override: rates.percent === null ? null : Number(rates.percent),
    fixed_per_order: money(rates.fixed_per_order),
    fixed_per_product: money(rates.fixed_per_product),
  };
}

const amounts = ['fixed_per_order', 'fixed_per_product'] as const;

/** Reports amounts that the currency cannot represent; `place` is the prefix of their parameter names. */
export function checkRates(
  input: RateInput,
  { invalid }: FieldErrors,
  { currency }: Site,
  place = '',
): void {
  for (const name of amounts) {
    if (isSet(input[name]) && currency.toMinor(Number(input[name])) === undefined) {
      invalid[place + name] =
        `must have at most ${currency.decimals} decimals and not be too large`;
    }
  }
}

/** The given rates as columns, after `checkRates`. Rates that were not given are absent. */
export function toRateColumns(input: RateInput, currency: Currency): Partial<RateColumns> {
  const { percent_override: percent } = input;
  const columns: Partial<RateColumns> = {};
  if (percent !== undefined) columns.percent = isSet(percent) ? String(Number(percent)) : null;
  for (const name of amounts) {
    const given = input[name];
    if (given !== undefined) columns[name] = isSet(given) ? currency.toMinor(Number(given))! : null;
  }
  return columns;
}

/** Whether a request gives a coupon a rate or a discount of its own. */
export function setsRates(input: RateInput & { readonly discount?: unknown }): boolean {
  const { discount, percent_override, fixed_per_order, fixed_per_product } = input;
  return Boolean(discount) || [percent_override, fixed_per_order, fixed_per_product].some(isSet);
}

function isSet(given: number | string | null | undefined): boolean {
  return given !== undefined && given !== null && given !== '';
}
