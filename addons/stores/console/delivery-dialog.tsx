import { Link } from 'wouter-preact';
import type { StoreDelivery } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { said } from '../../../web/said.ts';
import { formatNumber, t } from '../../../web/words.ts';
import { DeliveryPill } from './connection-state.tsx';

interface DeliveryDialogProps {
  connectionId: number;
  delivery: StoreDelivery;
  canRetry: boolean;
  onRetry(): void;
  onClose(): void;
}

/** One delivery: what became of it, the order that it is about, and another try. */
export function DeliveryDialog(props: DeliveryDialogProps) {
  const { connectionId, delivery, canRetry, onRetry, onClose } = props;
  const { id, topic, external_id, order_id, state, reason, attempts, date } = delivery;
  return (
    <Dialog title={t('console-stores.deliveryTitle', { topic })} onClose={onClose}>
      {reason !== '' && <Notice kind={state === 'failed' ? 'bad' : 'info'}>{said(reason)}</Notice>}
      <Facts
        facts={[
          { name: t('console-stores.state'), value: <DeliveryPill state={state} /> },
          external_id !== null && { name: t('console-stores.external'), value: external_id },
          order_id !== null && {
            name: t('console-stores.order'),
            value: <Link href={`/console/orders/${order_id}`}>#{order_id}</Link>,
          },
          { name: t('console-stores.date'), value: formatDate(date, 'exact') },
          { name: t('console-stores.attempts'), value: formatNumber(attempts) },
        ]}
      />
      {canRetry && state !== 'received' && (
        <Form
          kind={state === 'failed' ? 'primary' : 'quiet'}
          action={t('console-stores.retry')}
          submit={async (_values, options) => {
            await api.connections.deliveries.retry(connectionId, id, options);
            onRetry();
            await refresh(['store', { id: connectionId }], 'stores');
          }}
        />
      )}
      {state === 'received' && <p class="muted">{t('console-stores.beingProcessed')}</p>}
    </Dialog>
  );
}
