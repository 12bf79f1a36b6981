import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Field } from '../../ui/field.tsx';
import { t } from '../../words.ts';
import './tried-order.css';

const AMOUNT = '100';

/** The code of the first coupon, which comes later than the form: `''` if there is none. */
export function useFirstCode(): string | undefined {
  return useData('overview', { part: 'first-coupon' }, async () => {
    const { items } = await api.coupons.list({ per_page: 1 });
    return items[0]?.code ?? '';
  }).data;
}

/** The code and the amount of an order to try. */
export function OrderFields({ code }: { code: string | undefined }) {
  return (
    <div class="tried-fields">
      <Field
        name="code"
        label={t('console-tried-order.code')}
        defaultValue={code ?? ''}
        maxLength={50}
        autocomplete="off"
        required
      />
      <Field
        name="total"
        type="number"
        min="0.01"
        step="0.01"
        inputMode="decimal"
        label={t('console-tried-order.total')}
        defaultValue={AMOUNT}
        required
      />
    </div>
  );
}
