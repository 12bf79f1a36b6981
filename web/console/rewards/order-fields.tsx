import {
  creditKinds,
  customerKinds,
  paymentKinds,
} from '../../../src/web-contract/reward-kinds.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { optionsOf } from '../../ui/options.ts';
import { t } from '../../words.ts';
import { CheckList } from './check-list.tsx';
import { useDraft, wordsOf, type RuleDraft } from './draft.ts';
import { NumberField } from './number-field.tsx';

type Order = RuleDraft['order'];

/** The conditions of an order. All that are given must hold. */
function useOrder() {
  const { draft, set } = useDraft();
  const { order } = draft;
  return { order, setOrder: (changes: Order) => set({ order: { ...order, ...changes } }) };
}

export function Customer() {
  const { order, setOrder } = useOrder();
  return (
    <SelectField
      name="order.customer"
      label={t('console-rewards.customer')}
      required
      value={order.customer ?? 'any'}
      options={optionsOf(customerKinds, (value) => t(`console-rewards.customer.${value}`))}
      onChange={({ currentTarget }) =>
        setOrder({ customer: chosenOf(customerKinds, currentTarget.value) })
      }
    />
  );
}

export function MinTotal() {
  const { order, setOrder } = useOrder();
  return (
    <NumberField
      name="order.min_total"
      label={t('console-rewards.minTotal')}
      value={order.min_total}
      onNumber={(value) => setOrder({ min_total: unlessNone(value) })}
    />
  );
}

export function Countries() {
  const { order, setOrder } = useOrder();
  return (
    <Field
      name="order.countries"
      label={t('console-rewards.countries')}
      hint={t('console-rewards.countriesHint')}
      autocomplete="off"
      defaultValue={order.countries?.join(', ')}
      onInput={({ currentTarget }) =>
        setOrder({ countries: unlessEmpty(wordsOf(currentTarget.value.toUpperCase())) })
      }
    />
  );
}

export function Via() {
  const { order, setOrder } = useOrder();
  return (
    <CheckList
      noneIsAll
      name="order.via"
      label={t('console-rewards.via')}
      chosen={order.via ?? []}
      options={optionsOf(creditKinds, (value) => t(`console-rewards.via.${value}`))}
      onChoose={(via) => setOrder({ via: unlessEmpty(via) })}
    />
  );
}

export function Payments() {
  const { order, setOrder } = useOrder();
  return (
    <>
      <SelectField
        name="order.payment"
        label={t('console-rewards.payment')}
        required
        value={order.payment ?? 'any'}
        options={optionsOf(paymentKinds, (value) => t(`console-rewards.payment.${value}`))}
        onChange={({ currentTarget }) =>
          setOrder({ payment: chosenOf(paymentKinds, currentTarget.value), payments: undefined })
        }
      />
      {order.payment === 'renewal' && <PaymentNumbers />}
    </>
  );
}

function PaymentNumbers() {
  const { order, setOrder } = useOrder();
  const setPayments = (changes: NonNullable<Order['payments']>) => {
    const { from, to } = { ...order.payments, ...changes };
    const isOpen = from === undefined && to === undefined;
    setOrder({ payments: isOpen ? undefined : { from, to } });
  };
  return (
    <div class="field-row">
      {(['from', 'to'] as const).map((end) => (
        <NumberField
          key={end}
          name={`order.payments.${end}`}
          label={t(`console-rewards.payments.${end}`)}
          value={order.payments?.[end]}
          onNumber={(value) => setPayments({ [end]: unlessNone(value) })}
        />
      ))}
    </div>
  );
}

export function Stores() {
  const { order, setOrder } = useOrder();
  const { data } = useData('stores', { part: 'names' }, () =>
    Array.fromAsync(api.connections.list({ per_page: 100 })),
  );
  if (!data) return null;
  return (
    <CheckList
      noneIsAll
      name="order.stores"
      label={t('console-rewards.stores')}
      chosen={order.stores ?? []}
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
      onChoose={(stores) => setOrder({ stores: unlessEmpty(stores) })}
    />
  );
}

/** Nothing is sent for `any`. */
function chosenOf<V extends string>(values: readonly V[], value: string): V | undefined {
  return value === 'any' ? undefined : values.find((one) => one === value);
}

const unlessNone = (value: number) => (Number.isNaN(value) ? undefined : value);
const unlessEmpty = <V,>(list: V[]) => (list.length === 0 ? undefined : list);
