import { useState } from 'preact/hooks';
import type { TriedOrder } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';

const AMOUNT = '100';

/** Tries an order, then says how the store sends its own. */
export function OrderStep() {
  const [tried, setTried] = useState<TriedOrder>();
  const { data } = useData('overview-coupon', async () => {
    const { items } = await api.coupons.list({ per_page: 1 });
    return items[0]?.code ?? '';
  });
  return (
    <>
      <p class="muted">{t('console-overview.order.text')}</p>
      <Form
        // The code of the first coupon comes later than the form.
        key={data}
        action={t('console-overview.order.try')}
        submit={async ({ code = '', total = '' }, options) => {
          const input = { total: Number(total), coupon_codes: code === '' ? [] : [code] };
          setTried(await api.orders.test(input, options));
        }}
      >
        {(faults) => (
          <div class="checklist-fields">
            <Field
              name="code"
              label={t('console-overview.order.code')}
              defaultValue={data ?? ''}
              maxLength={50}
              required
              fault={faults['code']}
            />
            <Field
              name="total"
              type="number"
              min="0.01"
              step="0.01"
              inputMode="decimal"
              label={t('console-overview.order.total')}
              defaultValue={AMOUNT}
              required
              fault={faults['total']}
            />
          </div>
        )}
      </Form>
      <div role="status" class="tried" hidden={!tried}>
        {tried && <Tried order={tried} />}
      </div>
      <p class="muted">{t('console-overview.order.real')}</p>
      <RealOrder code={data ?? ''} />
      <p class="muted">{t('console-overview.order.waiting')}</p>
    </>
  );
}

function Tried({ order }: { order: TriedOrder }) {
  const [referral] = order.referrals;
  if (!referral) return <p>{t('console-overview.order.nobody')}</p>;
  const { affiliate, coupon_code: code, credited_via: via, payable_from: from } = referral;
  const values = { name: affiliate.display_name, code };
  return (
    <>
      <p>
        {via === 'coupon'
          ? t('console-overview.order.credited.coupon', values)
          : t('console-overview.order.credited.link', values)}
      </p>
      <ul>
        {referral.steps.map(({ explanation, amount }) => (
          <li key={explanation}>
            <span>{explanation}</span>
            <span class="figures">{formatMoney(amount)}</span>
          </li>
        ))}
        <li>
          <span>{t('console-overview.order.earns')}</span>
          <Money amount={referral.commission} />
        </li>
      </ul>
      <p class="muted">
        {from === null ? (
          t('console-overview.order.payableNow')
        ) : (
          <>
            {t('console-overview.order.payableFrom')} <Moment date={from} />
          </>
        )}
      </p>
    </>
  );
}

/** The shortest order that the API accepts, with the address of this installation. */
function RealOrder({ code }: { code: string }) {
  const { publicUrl } = document.getElementById('app')!.dataset;
  const order = {
    date: new Date().toISOString().slice(0, 19),
    status: 'completed',
    total: 100,
    coupon_codes: [code],
  };
  const command =
    `curl -X PUT ${publicUrl}/svc/store/v1/orders/1 -H "Authorization: Bearer KEY" ` +
    `-H "Content-Type: application/json" -d '${JSON.stringify(order)}'`;
  return (
    <div class="command-lines">
      <pre>
        <code>{command}</code>
      </pre>
      <CopyButton text={command} label={t('console-overview.order.copy')} />
    </div>
  );
}
