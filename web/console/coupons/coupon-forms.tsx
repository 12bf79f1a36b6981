import { useState } from 'preact/hooks';
import type { CouponDetails } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { AffiliateField, affiliateWithLogin } from '../affiliates/affiliate-field.tsx';

const rateNames = ['percent_override', 'fixed_per_order', 'fixed_per_product'] as const;

function errorOf(name: string): string | undefined {
  if (name === 'user_id') return t('console.affiliateUnknown');
  if (name === 'discount') return t('console-coupons.discountFault');
  return rateNames.some((rate) => rate === name) ? t('console-coupons.rateFault') : undefined;
}

/** An empty field is the rate of the group or of the store. */
function ratesOf(values: FormValues) {
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

function RateFields({ now }: { now?: CouponDetails['commission'] }) {
  return rateNames.map((name) => (
    <Field
      key={name}
      name={name}
      label={t(`console-coupons.${name}`)}
      inputMode="decimal"
      autocomplete="off"
      pattern="[0-9]+([.,][0-9]+)?"
      defaultValue={now?.[name] ?? ''}
      hint={name === 'percent_override' ? t('console-coupons.rateHint') : undefined}
    />
  ));
}

const discountTypes = ['none', 'percent', 'fixed'] as const;

/** What customers get off; nothing of its own is the discount of the group or of the store. */
function discountIn(values: FormValues) {
  const type = discountTypes.find((one) => one === values['discount_type']) ?? 'none';
  const amount = Number((values['discount'] ?? '').trim().replace(',', '.'));
  return { discount: type === 'none' ? null : { type, amount } };
}

function DiscountFields({ now }: { now?: CouponDetails['discount'] }) {
  const [type, setType] = useState<string>(now?.type ?? 'none');
  return (
    <>
      <SelectField
        name="discount_type"
        label={t('console-coupons.discountType')}
        required
        value={type}
        hint={t('console-coupons.discountHint')}
        options={discountTypes.map((value) => ({
          value,
          label: t(`console-coupons.discountType.${value}`),
        }))}
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

export function CreateCouponForm({ login, onClose }: { login: string; onClose(): void }) {
  return (
    <Form
      action={t('console-coupons.create')}
      errorOf={errorOf}
      submit={async (values, options) => {
        const user_id = await affiliateWithLogin(values['user_id'] ?? '');
        const input = { code: values['code']!, user_id, ...ratesOf(values), ...discountIn(values) };
        await api.coupons.create(input, options);
        await refresh('coupons', 'affiliates');
        onClose();
      }}
    >
      <Field
        name="code"
        label={t('console-coupons.code')}
        required
        maxLength={50}
        autocomplete="off"
        hint={t('console-coupons.codeHint')}
      />
      <AffiliateField name="user_id" label={t('console-coupons.affiliate')} value={login} />
      <RateFields />
      <DiscountFields />
    </Form>
  );
}

export function EditCouponForm({ coupon, onClose }: { coupon: CouponDetails; onClose(): void }) {
  const hasMoney = coupon.unpaid_commission !== 0 || coupon.pending_payout_commission !== 0;
  return (
    <Form
      action={t('console-coupons.save')}
      errorOf={errorOf}
      submit={async (values, options) => {
        const user_id = await affiliateWithLogin(values['user_id'] ?? '');
        await api.coupons.update(
          coupon.id,
          {
            ...ratesOf(values),
            ...discountIn(values),
            status: values['status'] === 'disabled' ? 'disabled' : 'active',
            ...(user_id !== coupon.user_id && { user_id }),
            ...('move_balance' in values && { move_balance: true }),
          },
          options,
        );
        await refresh('coupons', 'affiliates');
        onClose();
      }}
    >
      <AffiliateField
        name="user_id"
        label={t('console-coupons.affiliate')}
        value={coupon.user?.login ?? ''}
      />
      {hasMoney && (
        <label class="check-line">
          <input type="checkbox" name="move_balance" />
          {t('console-coupons.moveBalance')}
        </label>
      )}
      <SelectField
        name="status"
        label={t('console-coupons.status')}
        required
        value={coupon.status}
        hint={t('console-coupons.statusHint')}
        options={(['active', 'disabled'] as const).map((value) => ({
          value,
          label: t(`console-coupons.status.${value}`),
        }))}
      />
      <RateFields now={coupon.commission} />
      <DiscountFields now={coupon.discount} />
    </Form>
  );
}
