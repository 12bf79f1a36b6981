import { useState } from 'preact/hooks';
import type { StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { useSession } from '../../../web/session.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Field, SelectField } from '../../../web/ui/field.tsx';
import { Form, type FormValues } from '../../../web/ui/form.tsx';
import { optionsOf } from '../../../web/ui/options.ts';
import { t } from '../../../web/words.ts';

interface DialogProps {
  connection: StoreConnection;
  onClose(): void;
}

/** What one unit of other currencies is worth, for orders that bring no rate of their own. */
export function RatesDialog({ connection, onClose }: DialogProps) {
  const { id, exchange_rates: rates } = connection;
  const { currency } = useSession().program;
  const codes = Object.keys(rates);
  return (
    <Dialog title={t('console-stores.rates')} onClose={onClose}>
      <p class="muted">{t('console-stores.ratesText', { currency })}</p>
      <Form
        action={t('console-stores.save')}
        showsReasons
        submit={async (values, options) => {
          const exchange_rates = ratesIn(codes, values);
          await api.connections.update(id, { exchange_rates }, options);
          onClose();
          await refresh(['store', { id }]);
        }}
      >
        {codes.map((code) => (
          <Field
            key={code}
            name={code}
            label={t('console-stores.rateOf', { code, currency })}
            hint={t('console-stores.rateRemove')}
            type="number"
            step="any"
            min="0"
            defaultValue={String(rates[code])}
          />
        ))}
        <div class="store-fields">
          <Field
            name="currency"
            label={t('console-stores.rateCurrency')}
            pattern="[A-Za-z]{3}"
            maxLength={3}
            required={codes.length === 0}
            autocomplete="off"
          />
          <Field
            name="rate"
            label={t('console-stores.rateValue', { currency })}
            required={codes.length === 0}
            type="number"
            step="any"
            min="0"
          />
        </div>
      </Form>
    </Dialog>
  );
}

/** The rates that were not emptied, and the new one. */
function ratesIn(codes: readonly string[], values: FormValues): Record<string, number> {
  const { currency = '', rate = '' } = values;
  const entries = codes.map((code) => [code, values[code] ?? ''] as const);
  if (currency !== '') entries.push([currency.toUpperCase(), rate]);
  return Object.fromEntries(
    entries.flatMap(([code, value]) => (value === '' ? [] : [[code, Number(value)]])),
  );
}

type DiscountType = 'none' | 'percent' | 'fixed';

/** The discount that customers get with codes that are made in the store. */
export function DiscountDialog({ connection, onClose }: DialogProps) {
  const { id, coupon_discount: discount } = connection;
  const { currency } = useSession().program;
  const [type, setType] = useState<DiscountType>(discount?.type ?? 'percent');
  const types: DiscountType[] = ['percent', 'fixed', 'none'];
  return (
    <Dialog title={t('console-stores.discount')} onClose={onClose}>
      <p class="muted">{t('console-stores.discountText')}</p>
      <Form
        action={t('console-stores.save')}
        showsReasons
        submit={async ({ amount = '' }, options) => {
          const coupon_discount = type === 'none' ? null : { type, amount: Number(amount) };
          await api.connections.update(id, { coupon_discount }, options);
          onClose();
          await refresh(['store', { id }]);
        }}
      >
        <SelectField
          name="type"
          label={t('console-stores.discountType')}
          required
          value={type}
          options={optionsOf(types, (value) => t(`console-stores.discountType.${value}`))}
          onChange={(event) => setType(types.find((one) => one === event.currentTarget.value)!)}
        />
        {type !== 'none' && (
          <Field
            name="amount"
            label={
              type === 'percent'
                ? t('console-stores.discountPercent')
                : t('console-stores.discountAmount', { currency })
            }
            type="number"
            step="any"
            min="0.01"
            max={type === 'percent' ? '100' : '1000000'}
            inputMode="decimal"
            required
            defaultValue={discount ? String(discount.amount) : '10'}
          />
        )}
      </Form>
    </Dialog>
  );
}
