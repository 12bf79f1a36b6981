import { Link, useLocation } from 'wouter-preact';
import type { StoreConnection } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { numberColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { ApprovalDialog } from './approval-dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import {
  ConnectionPill,
  lagOf,
  useCanChange,
  useKinds,
  type StoreKind,
} from './connection-state.tsx';
import { ScriptCard } from './script-card.tsx';
import './stores.css';

const PATH = '/console/stores';
const PER_PAGE = 20;

const columns = (kinds: ReadonlyMap<string, StoreKind>): Column<StoreConnection>[] => [
  {
    key: 'name',
    label: t('console-stores.name'),
    phone: 'title',
    cell: ({ name, kind, url }) => {
      const address = url.replace(/^https:\/\//, '');
      const isShown = kinds.get(kind)?.needs_url === true && address !== name;
      return (
        <>
          {name}
          {isShown && <span class="store-reason">{address}</span>}
        </>
      );
    },
  },
  {
    key: 'kind',
    label: t('console-stores.kind'),
    phone: 'none',
    cell: ({ kind }) => kinds.get(kind)?.label ?? kind,
  },
  {
    key: 'state',
    label: t('console-stores.state'),
    phone: 'state',
    cell: (connection) => (
      <>
        <ConnectionPill connection={connection} />
        <Problem connection={connection} />
      </>
    ),
  },
  {
    key: 'order',
    label: t('console-stores.lastOrder'),
    phone: 'detail',
    cell: (connection) => (
      <>
        <span class="phone-only">{t('console-stores.lastOrder')}: </span>
        {connection.last_order_at ? (
          <Moment date={connection.last_order_at} />
        ) : (
          t('console-stores.never')
        )}
        <span class="phone-only">
          <Problem connection={connection} />
        </span>
      </>
    ),
  },
  { key: 'lag', label: t('console-stores.lag'), phone: 'none', cell: lagOf },
  numberColumn('missed', t('console-stores.missed'), 'none', ({ missed_found: missed }) => missed),
  numberColumn('rejected', t('console-stores.rejected'), 'none', ({ rejected }) => rejected),
];

/** What does not work. The other states need no explanation here; the store's own screen has it. */
function Problem({ connection: { state, reason } }: { connection: StoreConnection }) {
  const isBroken = state === 'degraded' || state === 'failed';
  return isBroken && <span class="store-reason">{said(reason)}</span>;
}

/** The connected stores: whether their orders come in, and what was missed. */
export function Stores() {
  const address = useAddress(PATH);
  const canChange = useCanChange();
  const kinds = new Map((useKinds().data ?? []).map((one) => [one.kind, one]));
  const list = useData('stores', { page: address.page, per_page: PER_PAGE }, (input) =>
    api.connections.list(input),
  );
  const connectLink = canChange && (
    <Link class="button" data-kind="primary" href={address.hrefOf({ connect: 'choose' })}>
      {t('console-stores.connect')}
    </Link>
  );
  const isEmpty = list.data?.items.length === 0;
  return (
    <Screen title={t('console.nav.stores')} aside={!isEmpty && connectLink}>
      <Listing
        address={address}
        caption={t('console.nav.stores')}
        list={list}
        columns={columns(kinds)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${PATH}/${id}`}
        filters={[]}
        empty={
          <EmptyState title={t('console-stores.emptyTitle')} action={connectLink}>
            {canChange ? t('console-stores.emptyText') : t('console-stores.emptyManager')}
          </EmptyState>
        }
      />
      {/* Not below what is loading, which is higher than most lists. */}
      {list.data && <ScriptCard />}
      {canChange && <OpenDialog address={address} />}
    </Screen>
  );
}

function OpenDialog({ address }: { address: Address }) {
  const [, navigate] = useLocation();
  const kind = address.get('connect');
  const request = Number(address.get('request'));
  const onClose = () => navigate(PATH, { replace: true });
  if (request > 0) {
    const isDenied = address.get('success') === '0';
    return <ApprovalDialog id={request} isDenied={isDenied} onClose={onClose} />;
  }
  if (kind === '') return null;
  return <ConnectDialog kind={kind} address={address} onClose={onClose} />;
}
