import { useLocation } from 'wouter-preact';
import { Link } from 'wouter-preact';
import type { WebhookHealth } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { CreateDialog } from './create-dialog.tsx';
import { formatRate, rateOf, titleOf, WebhookPill } from './webhook-state.tsx';
import './webhooks.css';

const PATH = '/console/webhooks';
const PER_PAGE = 20;

const columns = (): Column<WebhookHealth>[] => [
  textColumn('name', t('console-webhooks.name'), 'title', titleOf),
  {
    key: 'url',
    label: t('console-webhooks.url'),
    phone: 'none',
    cell: ({ url }) => <span class="webhook-url">{url}</span>,
  },
  {
    key: 'state',
    label: t('console-webhooks.state'),
    phone: 'state',
    cell: (webhook) => <WebhookPill webhook={webhook} />,
  },
  {
    key: 'error',
    label: t('console-webhooks.lastError'),
    phone: 'none',
    cell: ({ last_error }) => last_error && <span class="webhook-error">{said(last_error)}</span>,
  },
  {
    key: 'delivery',
    label: t('console-webhooks.lastDelivery'),
    phone: 'detail',
    cell: ({ last_delivery }) =>
      last_delivery ? <Moment inLog date={last_delivery} /> : t('console-webhooks.never'),
  },
  {
    key: 'success',
    label: t('console-webhooks.success'),
    isNumber: true,
    phone: 'aside',
    cell: (webhook) => {
      const rate = rateOf(webhook);
      return rate === undefined ? t('console-webhooks.successNone') : formatRate(rate);
    },
  },
];

/** The programs that receive events, and whether they answer. */
export function Webhooks() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const list = useData('webhooks', { page: address.page, per_page: PER_PAGE }, (input) =>
    api.webhooks.health.list(input),
  );
  const createLink = (
    <Link class="button" data-kind="primary" href={address.hrefOf({ create: '1' })}>
      {t('console-webhooks.create')}
    </Link>
  );
  return (
    <Screen title={t('console.nav.webhooks')} aside={createLink}>
      <Listing
        address={address}
        caption={t('console.nav.webhooks')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${PATH}/${id}`}
        filters={[]}
        empty={<EmptyState of="console-webhooks.empty" />}
      />
      {address.get('create') !== '' && (
        <CreateDialog
          onClose={() => navigate(address.hrefOf({ create: undefined }), { replace: true })}
          onDone={(id) => navigate(`${PATH}/${id}`, { replace: true })}
        />
      )}
    </Screen>
  );
}
