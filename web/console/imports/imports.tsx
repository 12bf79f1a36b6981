import { Link, useLocation } from 'wouter-preact';
import type { Import } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData, useRefreshing } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { numberColumn, relativeDateColumn, textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Pill } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import { ImportDialog, sourceName } from './import-dialog.tsx';
import { NewImport } from './new-import.tsx';

const PATH = '/console/imports';
const PER_PAGE = 25;
const POLL_MS = 2_000;

/** What was imported, its undo, and a new import. */
export function Imports() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const list = useData('imports', { page: address.page, per_page: PER_PAGE }, (input) =>
    api.imports.list(input),
  );
  const items = list.data?.items ?? [];
  useRefreshing(items.some(isBeingUndone) ? POLL_MS : undefined, 'imports');
  const openId = Number(address.get('open'));
  const open = items.find(({ id }) => id === openId);
  const isEmpty = list.data?.items.length === 0;
  const newLink = (
    <Link class="button" data-kind="primary" href={address.hrefOf({ new: '1' })}>
      {t('console-imports.new')}
    </Link>
  );
  return (
    <Screen title={t('console.nav.imports')} aside={!isEmpty && newLink}>
      <Listing
        address={address}
        caption={t('console.nav.imports')}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ id, system }) => t('console-imports.title', { id, system: sourceName(system) })}
        hrefOf={({ id }) => address.hrefOf({ open: String(id) })}
        filters={[]}
        empty={<EmptyState of="console-imports.empty" action={newLink} />}
      />
      {address.get('new') !== '' && (
        <NewImport
          onClose={() => navigate(address.hrefOf({ new: undefined }))}
          onDone={(id) => navigate(address.hrefOf({ new: undefined, open: String(id) }))}
        />
      )}
      {open && (
        <ImportDialog
          imported={open}
          onClose={() => navigate(address.hrefOf({ open: undefined }))}
        />
      )}
    </Screen>
  );
}

/** An undo that was stopped says why, and waits for the owner. */
function isBeingUndone({ state, reason }: Import): boolean {
  return state === 'undoing' && reason === '';
}

const kinds = { running: 'warn', done: 'good', undoing: 'warn', undone: 'plain' } as const;

const columns: readonly Column<Import>[] = [
  textColumn('from', t('console-imports.from'), 'title', ({ system }) => sourceName(system)),
  {
    key: 'files',
    label: t('console-imports.files'),
    phone: 'detail',
    cell: ({ files: [first = '', ...others] }) =>
      others.length === 0 ? first : t('console-imports.filesMore', { first, count: others.length }),
  },
  relativeDateColumn('date', t('console-imports.date'), 'aside', ({ date }) => date),
  numberColumn(
    'affiliates',
    t('console-imports.affiliates'),
    'none',
    ({ affiliates }) => affiliates,
  ),
  numberColumn('balance', t('console-imports.balance'), 'none', ({ balance, currency }) =>
    formatMoney(balance, currency),
  ),
  numberColumn('records', t('console-imports.records'), 'none', ({ records }) => records),
  {
    key: 'state',
    label: t('console-imports.state'),
    phone: 'state',
    cell: ({ state }) => <Pill kind={kinds[state]}>{t(`console-imports.state.${state}`)}</Pill>,
  },
];
