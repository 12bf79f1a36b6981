import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TriedOrder as Tried } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Form } from '../../ui/form.tsx';
import { t } from '../../words.ts';
import { addonOrdersFrom } from '../addon-parts.ts';
import { OrderFields, useFirstCode } from '../tried-order/order-fields.tsx';
import { TriedOrder } from '../tried-order/tried-order.tsx';

/** Tries an order, then says how the store sends its own. */
export function OrderStep() {
  const [tried, setTried] = useState<Tried>();
  const code = useFirstCode();
  return (
    <>
      <p class="muted">{t('console-overview.order.text')}</p>
      <Form
        // The code of the first coupon comes later than the form.
        key={code}
        action={t('console-overview.order.try')}
        submit={async ({ code: typed = '', total = '' }, options) => {
          const input = { total: Number(total), coupon_codes: [typed] };
          setTried(await api.orders.test(input, options));
        }}
      >
        <OrderFields code={code} />
      </Form>
      {tried && <TriedOrder order={tried} />}
      {addonOrdersFrom.map(({ href, action, step }) => (
        <Fragment key={href}>
          <p class="muted">{t(step)}</p>
          <Link class="button" data-kind="quiet" href={href}>
            {t(action)}
          </Link>
        </Fragment>
      ))}
      <p class="muted">{t('console-overview.order.real')}</p>
      <RealOrder code={code ?? ''} />
      <p class="muted">{t('console-overview.order.waiting')}</p>
    </>
  );
}

/** The shortest order that the API accepts, with the address of this installation. */
function RealOrder({ code }: { code: string }) {
  const { publicUrl } = document.getElementById('app')!.dataset;
  const order = {
    // With the zone: without it, the hour would be that of the store.
    date: `${new Date().toISOString().slice(0, 19)}Z`,
    status: 'completed',
    total: 100,
    coupon_codes: [code || 'CODE'],
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
