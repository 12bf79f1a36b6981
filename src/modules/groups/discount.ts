import Type, { type Static } from 'typebox';
import type { FieldErrors } from '../../kernel/declare/field-errors.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';

export const Discount = Type.Object(
  {
    type: StringEnum(['percent', 'fixed'], { description: 'A percentage, or an amount.' }),
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: "The percentage, or the amount in the site's currency.",
    }),
  },
  { $id: 'Discount', additionalProperties: false, examples: [{ type: 'percent', amount: 10 }] },
);

export type Discount = Static<typeof Discount>;

/** The discount that a coupon or a group may have for itself. */
export const discountFields = {
  discount: Type.Optional(
    Type.Union([Discount, Type.Null()], {
      description:
        'What customers get off with codes that are created in stores from now on, instead of the discount of the ' +
        'connection; null for none of its own.',
    }),
  ),
};

export const discountSchemas = {
  discount: Nullable(
    Type.Object(Discount.properties, {
      description: 'What customers get off with its codes in stores; null when not set.',
    }),
  ),
};

/** Reports a discount that cannot be given. */
export function checkDiscount(
  { discount }: { discount?: Discount | null | undefined },
  errors: FieldErrors,
  { currency }: Site,
): void {
  if (!discount) return;
  const { type, amount } = discount;
  if (type === 'percent' && amount > 100) errors.add('discount', 'must be at most 100 percent');
  if (type === 'fixed' && currency.toMinor(amount) === undefined) {
    errors.add('discount', `must have at most ${currency.decimals} decimals`);
  }
}

/** The column of a discount that was given. */
export function toDiscountColumn(input: { discount?: Discount | null | undefined }) {
  const { discount } = input;
  if (discount === undefined) return {};
  return {
    discount: discount && JSON.stringify({ type: discount.type, amount: discount.amount }),
  };
}

export function toDiscount(column: string | null): Discount | null {
  // The value was checked when it was set.
  return column === null ? null : (JSON.parse(column) as Discount);
}
