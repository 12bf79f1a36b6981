import { useState } from 'preact/hooks';
import type { CouponDetails } from '../../sdk/src/index.ts';
import { Field, SelectField } from '../ui/field.tsx';
import type { FormValues } from '../ui/form.tsx';
import { optionsOf } from '../ui/options.ts';
import { t } from '../words.ts';

const rateNames = ['percent_override', 'fixed_per_order', 'fixed_per_product'] as const;

/** Why a rate or a discount is refused. */
export function rateErrorOf(name: string): string | undefined {
  if (name === 'discount') return t('console-coupons.discountFault');
  return rateNames.some((rate) => rate === name) ? t('console-coupons.rateFault') : undefined;
}

/** An empty field is the rate of what is above: of the group, or of the store. */
export function ratesIn(values: FormValues) {
  const rate = (name: (typeof rateNames)[number]) => {
    const text = values[name]!.trim().replace(',', '.');
    return text === '' ? null : text;
  };
  return {
    percent_override: rate('percent_override'),
    fixed_per_order: rate('fixed_per_order'),
    fixed_per_product: rate('fixed_per_product'),
  };
}

type Rates = Pick<CouponDetails['commission'], (typeof rateNames)[number]>;

/** The rates of a coupon or a group. */
export function RateFields({ now, hint }: { now?: Rates | undefined; hint: string }) {
  return rateNames.map((name) => (
    <Field
      key={name}
      name={name}
      label={t(`console-coupons.${name}`)}
      inputMode="decimal"
      autocomplete="off"
      pattern="[0-9]+([.,][0-9]+)?"
      defaultValue={now?.[name] ?? ''}
      hint={name === 'percent_override' ? hint : undefined}
    />
  ));
}

const discountTypes = ['none', 'percent', 'fixed'] as const;

/** What customers get off; nothing of its own is the discount of the group or of the store. */
export function discountIn(values: FormValues) {
  const type = discountTypes.find((one) => one === values['discount_type']) ?? 'none';
  const amount = Number((values['discount'] ?? '').trim().replace(',', '.'));
  return { discount: type === 'none' ? null : { type, amount } };
}

interface DiscountFieldsProps {
  now?: CouponDetails['discount'] | undefined;
  /** The words for no discount of its own. */
  none: string;
}

export function DiscountFields({ now, none }: DiscountFieldsProps) {
  const [type, setType] = useState<string>(now?.type ?? 'none');
  return (
    <>
      <SelectField
        name="discount_type"
        label={t('console-coupons.discountType')}
        required
        value={type}
        hint={t('console-coupons.discountHint')}
        options={optionsOf(discountTypes, (value) =>
          value === 'none' ? none : t(`console-coupons.discountType.${value}`),
        )}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
      />
      {type !== 'none' && (
        <Field
          name="discount"
          label={t('console-coupons.discount')}
          required
          inputMode="decimal"
          autocomplete="off"
          pattern="[0-9]+([.,][0-9]+)?"
          defaultValue={now?.amount ?? ''}
        />
      )}
    </>
  );
}
