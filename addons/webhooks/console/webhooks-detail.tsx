import { useLocation, useParams } from 'wouter-preact';
import type { WebhookHealth } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { SuccessCard } from './success-card.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { DeleteDialog, EventsDialog, ReplayDialog } from './webhook-dialogs.tsx';
import { titleOf, WebhookPill } from './webhook-state.tsx';
import './webhooks.css';

/** One webhook: whether its receiver listens, and each delivery. */
export function Webhook() {
  const id = Number(useParams<{ id: string }>().id);
  const address = useAddress(`/console/webhooks/${id}`);
  const { data, error, retry } = useData('webhook', { id }, () => api.webhooks.get(id));
  return (
    <Screen
      title={data ? titleOf(data) : t('console-webhooks.single')}
      back={{ href: '/console/webhooks', label: t('console.nav.webhooks') }}
    >
      {data ? (
        <>
          <About webhook={data} address={address} />
          <SuccessCard id={id} address={address} />
          <DeliveryList id={id} address={address} />
          <OpenDialog webhook={data} address={address} />
        </>
      ) : (
        <PendingCard error={error} retry={retry} lines={8} />
      )}
    </Screen>
  );
}

function About({ webhook, address }: { webhook: WebhookHealth; address: Address }) {
  const { url, events, last_error, last_delivery, date_failing, date_paused, replay } = webhook;
  return (
    <Card title={t('console-webhooks.about')}>
      {last_error !== '' && <Notice kind="warn">{said(last_error)}</Notice>}
      {replay && (
        <Notice kind="info">
          {t('console-webhooks.replayRunning', { until: String(replay.until) })}
        </Notice>
      )}
      <Facts
        facts={[
          { name: t('console-webhooks.state'), value: <WebhookPill webhook={webhook} /> },
          { name: t('console-webhooks.url'), value: url },
          {
            name: t('console-webhooks.events'),
            value: events.includes('*') ? t('console-webhooks.eventsAll') : events.join(', '),
          },
          {
            name: t('console-webhooks.lastDelivery'),
            value: last_delivery ? (
              <Moment inLog date={last_delivery} />
            ) : (
              t('console-webhooks.never')
            ),
          },
          date_failing !== null && {
            name: t('console-webhooks.failingSince'),
            value: <Moment inLog date={date_failing} />,
          },
          date_paused !== null && {
            name: t('console-webhooks.nextTry'),
            value: <Moment inLog date={date_paused} />,
          },
          {
            name: t('console-webhooks.created'),
            value: <Moment inLog date={webhook.date_created} />,
          },
        ]}
      />
      <WebhookActions webhook={webhook} address={address} />
    </Card>
  );
}

/** The dialog that the address names. */
function OpenDialog({ webhook, address }: { webhook: WebhookHealth; address: Address }) {
  const [, navigate] = useLocation();
  const onClose = () =>
    navigate(address.hrefOf({ open: undefined, delivery: undefined }), { replace: true });
  const delivery = Number(address.get('delivery'));
  if (delivery > 0) {
    return (
      <DeliveryDialog
        webhookId={webhook.id}
        deliveryId={delivery}
        isActive={webhook.status === 'active'}
        onClose={onClose}
      />
    );
  }
  switch (address.oneOf('open', ['replay', 'events', 'delete'])) {
    case 'replay':
      return <ReplayDialog webhook={webhook} onClose={onClose} />;
    case 'events':
      return <EventsDialog webhook={webhook} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog webhook={webhook} onClose={onClose} />;
    case undefined:
      return null;
  }
}
