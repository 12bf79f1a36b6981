import { useLocation } from 'wouter-preact';
import type { StoreConnection, StoreDelivery } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, useRefreshing } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import type { Address } from '../../../web/frame/address.ts';
import { numberColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { DeliveryListing } from '../../../web/console/delivery-listing.tsx';
import { DeliveryPill } from './connection-state.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';

const PER_PAGE = 10;
const POLL_MS = 2_000;
const states = ['received', 'done', 'ignored', 'failed'] as const;

const columns = (): Column<StoreDelivery>[] => [
  {
    key: 'topic',
    label: t('console-stores.topic'),
    phone: 'title',
    cell: ({ topic, external_id: number }) => (
      <>
        {topic} {number !== null && <span class="muted figures">{number}</span>}
      </>
    ),
  },
  textColumn('date', t('console-stores.date'), 'detail', ({ date }) => formatDate(date, 'time')),
  {
    key: 'state',
    label: t('console-stores.state'),
    phone: 'state',
    cell: ({ state }) => <DeliveryPill state={state} />,
  },
  {
    key: 'reason',
    label: t('console-stores.reason'),
    phone: 'none',
    cell: ({ reason }) => reason && <span class="store-delivery-reason">{said(reason)}</span>,
  },
  numberColumn(
    'order',
    t('console-stores.order'),
    'aside',
    ({ order_id: number }) => number !== null && `#${number}`,
  ),
];

interface DeliveryListProps {
  connection: StoreConnection;
  address: Address;
  canChange: boolean;
}

/** What the store has sent, and what became of it. */
export function DeliveryList({ connection, address, canChange }: DeliveryListProps) {
  const { id } = connection;
  const [, navigate] = useLocation();
  const state = address.oneOf('state', states);
  const { page } = address;
  const list = useData('store', { id, part: 'deliveries', state, page }, () =>
    api.connections.deliveries.list(id, { state, page, per_page: PER_PAGE }),
  );
  // Deliveries are processed in the background, so the list looks again until that is over.
  const isWaiting =
    connection.state !== 'paused' && list.data?.items.some((one) => one.state === 'received');
  useRefreshing(isWaiting ? POLL_MS : undefined, ['store', { id }]);
  const open = list.data?.items.find((one) => one.id === Number(address.get('delivery')));
  return (
    <>
      <DeliveryListing
        title={t('console-stores.deliveries')}
        address={address}
        list={list}
        columns={columns()}
        states={states.map((value) => ({ value, label: t(`console-stores.delivery.${value}`) }))}
        empty={<EmptyState of="console-stores.noDeliveries" />}
      />
      {open && (
        <DeliveryDialog
          connectionId={id}
          delivery={open}
          canRetry={canChange}
          // The list of one state would lose the delivery as soon as its state changes.
          onRetry={() =>
            navigate(address.hrefOf({ state: undefined, page: undefined }), { replace: true })
          }
          onClose={() => navigate(address.hrefOf({ delivery: undefined }), { replace: true })}
        />
      )}
    </>
  );
}
