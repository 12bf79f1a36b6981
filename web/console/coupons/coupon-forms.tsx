import type { CouponDetails } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { AffiliateField, affiliateWithLogin } from '../affiliates/affiliate-field.tsx';
import { DiscountFields, discountIn, RateFields, rateErrorOf, ratesIn } from '../rate-fields.tsx';

function errorOf(name: string): string | undefined {
  return name === 'user_id' ? t('console.affiliateUnknown') : rateErrorOf(name);
}

export function CreateCouponForm({ login, onClose }: { login: string; onClose(): void }) {
  return (
    <Form
      action={t('console-coupons.create')}
      errorOf={errorOf}
      submit={async (values, options) => {
        const user_id = await affiliateWithLogin(values['user_id'] ?? '');
        const input = { code: values['code']!, user_id, ...ratesIn(values), ...discountIn(values) };
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
      <RateFields hint={t('console-coupons.rateHint')} />
      <DiscountFields none={t('console-coupons.discountType.none')} />
    </Form>
  );
}

export function EditCouponForm({ coupon, onClose }: { coupon: CouponDetails; onClose(): void }) {
  const hasMoney =
    coupon.unpaid_commission !== 0 ||
    coupon.pending_order_commission !== 0 ||
    coupon.pending_payout_commission !== 0;
  return (
    <Form
      action={t('console-coupons.save')}
      errorOf={errorOf}
      submit={async (values, options) => {
        const user_id = await affiliateWithLogin(values['user_id'] ?? '');
        await api.coupons.update(
          coupon.id,
          {
            ...ratesIn(values),
            ...discountIn(values),
            status: values['status'] === 'disabled' ? 'disabled' : 'active',
            ...(user_id !== coupon.user_id && {
              user_id,
              ...(hasMoney && { move_balance: values['move_balance'] === 'moves' }),
            }),
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
        <SelectField
          name="move_balance"
          label={t('console-coupons.moveBalance')}
          required
          value="stays"
          options={optionsOf(['stays', 'moves'], (value) =>
            t(`console-coupons.moveBalance.${value}`),
          )}
        />
      )}
      <SelectField
        name="status"
        label={t('console-coupons.status')}
        required
        value={coupon.status}
        hint={t('console-coupons.statusHint')}
        options={optionsOf(['active', 'disabled'], (value) => t(`console-coupons.status.${value}`))}
      />
      <RateFields now={coupon.commission} hint={t('console-coupons.rateHint')} />
      <DiscountFields now={coupon.discount} none={t('console-coupons.discountType.none')} />
    </Form>
  );
}
