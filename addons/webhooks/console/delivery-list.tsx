import type { WebhookDelivery } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import type { Address } from '../../../web/frame/address.ts';
import { numberColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Pill, type PillKind } from '../../../web/ui/pill.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { DeliveryListing } from '../../../web/console/delivery-listing.tsx';

const PER_PAGE = 20;
const states = ['pending', 'delivered', 'failed'] as const;

const kinds: Record<WebhookDelivery['state'], PillKind> = {
  pending: 'warn',
  delivered: 'good',
  failed: 'bad',
};

export function DeliveryPill({ state }: { state: WebhookDelivery['state'] }) {
  return <Pill kind={kinds[state]}>{t(`console-webhooks.delivery.${state}`)}</Pill>;
}

const columns = (): Column<WebhookDelivery>[] => [
  {
    key: 'event',
    label: t('console-webhooks.event'),
    phone: 'title',
    cell: ({ event, event_id }) => (
      <>
        {event} <span class="muted figures">#{event_id}</span>
      </>
    ),
  },
  textColumn('date', t('console-webhooks.date'), 'detail', ({ date_attempted, date_queued }) =>
    formatDate(date_attempted ?? date_queued, 'time'),
  ),
  {
    key: 'state',
    label: t('console-webhooks.state'),
    phone: 'state',
    cell: ({ state }) => <DeliveryPill state={state} />,
  },
  textColumn('error', t('console-webhooks.lastError'), 'none', ({ error }) => said(error)),
  numberColumn('attempts', t('console-webhooks.attempts'), 'none', ({ attempts }) => attempts),
  {
    key: 'code',
    label: t('console-webhooks.answer'),
    isNumber: true,
    phone: 'aside',
    cell: ({ code }) => code ?? t('console-webhooks.noAnswer'),
  },
];

/** What was sent to the webhook, and what waits to be. */
export function DeliveryList({ id, address }: { id: number; address: Address }) {
  const state = address.oneOf('state', states);
  const { page } = address;
  const list = useData('webhook', { id, part: 'deliveries', state, page }, () =>
    api.webhooks.deliveries.list(id, { state, page, per_page: PER_PAGE }),
  );
  return (
    <DeliveryListing
      title={t('console-webhooks.deliveries')}
      address={address}
      list={list}
      columns={columns()}
      states={states.map((value) => ({ value, label: t(`console-webhooks.delivery.${value}`) }))}
      empty={<EmptyState of="console-webhooks.noDeliveries" />}
    />
  );
}
