import Type, { type Static } from 'typebox';
import type { RateColumns } from '../../db/tables.ts';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import { Nullable } from '../../kernel/schemas.ts';
import type { Currency } from '../../shared/money.ts';

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

/** What was given of the rates, as it is stored. What was not given is not there. */
export function toRateColumns(input: RateInput, currency: Currency): Partial<RateColumns> {
  const faults: Record<string, string> = {};
  const money = (name: 'fixed_per_order' | 'fixed_per_product') => {
    const given = input[name];
    if (given === undefined) return {};
    if (given === null || given === '') return { [name]: null };
    const minor = currency.toMinor(Number(given));
    if (minor === undefined) {
      faults[name] = `must have at most ${currency.decimals} decimals and not be too large`;
    }
    return { [name]: minor };
  };
  const { percent_override: percent } = input;
  const columns = {
    ...(percent !== undefined && {
      percent: percent === null || percent === '' ? null : String(Number(percent)),
    }),
    ...money('fixed_per_order'),
    ...money('fixed_per_product'),
  };
  const names = Object.keys(faults);
  if (names.length === 0) return columns;
  throw new ApiError(generalErrors.invalidParam, {
    message: `Invalid parameter(s): ${names.join(', ')}`,
    data: { params: faults },
  });
}
