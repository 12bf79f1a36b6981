import { Link, useLocation } from 'wouter-preact';
import type { RosterEntry } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { dateColumn, moneyColumn, numberColumn, sortedBy } from '../../ui/columns.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { optionsOf } from '../../ui/options.ts';
import { SelectionBar, useSelection } from '../../ui/selection.tsx';
import { t } from '../../words.ts';
import { AffiliateState } from './affiliate-state.tsx';
import { BulkDialog, bulkActs } from './bulk-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import './affiliates.css';

const PATH = '/console/affiliates';
const PER_PAGE = 25;
const DEFAULT_SORT = '-created';
const sortNames = [
  'name',
  'sales',
  'commission',
  'unpaid',
  'clicks',
  'last_order',
  'created',
] as const;
const sorts = sortNames.flatMap((name) => [name, `-${name}`] as const);
/** What a phone offers, where the table has no headings. */
const phoneSorts = ['-sales', '-commission', '-unpaid', '-clicks', '-last_order', 'name'] as const;
const statuses = ['active', 'suspended'] as const;
const filters = ['q', 'status', 'group', 'tag'];

/** Made when the screen is shown: the words are in its chunk. */
function columnsOf(): readonly Column<RosterEntry>[] {
  return [
    {
      key: 'name',
      label: t('console-affiliates.name'),
      sort: 'name',
      phone: 'title',
      cell: ({ user }) => <span class="affiliate-cut">{user.display_name}</span>,
    },
    {
      key: 'codes',
      label: t('console-affiliates.codes'),
      phone: 'detail',
      cell: ({ coupons }) => (
        <span class="affiliate-cut" data-narrow>
          {codesOf(coupons) || '–'}
        </span>
      ),
    },
    {
      key: 'status',
      label: t('console-affiliates.status'),
      phone: 'state',
      cell: ({ status, groups, tags }) => (
        <AffiliateState status={status} labels={[...groups, ...tags]} most={1} />
      ),
    },
    ...(
      [
        ['sales', 'aside', 'total_sales'],
        ['commission', 'none', 'total_commission'],
        ['unpaid', 'none', 'unpaid_commission'],
      ] as const
    ).map(([name, phone, field]) =>
      sortedBy(
        name,
        moneyColumn<RosterEntry>(name, t(`console-affiliates.${name}`), phone, (row) => row[field]),
      ),
    ),
    sortedBy(
      'clicks',
      numberColumn('clicks', t('console-affiliates.clicks'), 'none', ({ clicks }) => clicks),
    ),
    sortedBy(
      'last_order',
      dateColumn('last', t('console-affiliates.lastOrder'), 'none', ({ last_order }) => last_order),
    ),
  ];
}

/** `MAYA10 +1`: the first code, and how many more there are. */
function codesOf(coupons: RosterEntry['coupons']): string {
  const [first, ...more] = coupons;
  if (!first) return '';
  return more.length === 0 ? first.code : `${first.code} +${more.length}`;
}

/** Everyone who refers orders. Search, filters, order, page and the open dialog are the address. */
export function Affiliates() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const sort = address.oneOf('sort', sorts) ?? DEFAULT_SORT;
  const status = address.oneOf('status', statuses);
  const [q, group, tag] = ['q', 'group', 'tag'].map((name) => address.get(name));
  const list = useData(
    'affiliates',
    {
      search: q || undefined,
      status,
      group: group || undefined,
      tag: tag || undefined,
      sort,
      page: address.page,
      per_page: PER_PAGE,
    },
    (input) => api.affiliates.search(input),
  );
  const groups = useData('groups', { per_page: 100 }, (input) => api.groups.list(input));
  const tags = useData('tags', {}, () => api.tags.list({ per_page: 100 }));
  const selection = useSelection(list.data?.items.map(({ id }) => id) ?? []);
  const open = address.get('do');
  const bulk = bulkActs.find((act) => act === open);
  const close = () => navigate(address.hrefOf({ do: undefined }), { replace: true });
  const named = (items: readonly { name: string }[] | undefined) =>
    (items ?? []).map(({ name }) => ({ value: name, label: name }));
  return (
    <Screen
      title={t('console.nav.affiliates')}
      aside={
        <Link class="button" href={address.hrefOf({ do: 'create' })}>
          {t('console-affiliates.create')}
        </Link>
      }
    >
      <FilterBar
        address={address}
        list={list}
        search={t('console-affiliates.search')}
        filters={[
          {
            name: 'status',
            label: t('console-affiliates.status'),
            options: optionsOf(statuses, (value) => t(`console-affiliates.status.${value}`)),
          },
          {
            name: 'group',
            label: t('console-affiliates.group'),
            options: named(groups.data?.items),
          },
          { name: 'tag', label: t('console-affiliates.tag'), options: named(tags.data?.items) },
        ]}
        sorts={optionsOf(phoneSorts, (value) => t(`console-affiliates.sort.${value}`))}
      >
        <CsvButton
          fileName="affiliates.csv"
          load={(options) => api.exports.affiliatesCsv(options)}
        />
      </FilterBar>
      <Listing
        address={address}
        caption={t('console.nav.affiliates')}
        list={list}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        nameOf={({ user }) => user.display_name}
        hrefOf={({ id }) => `${PATH}/${id}`}
        selection={selection}
        defaultSort={DEFAULT_SORT}
        filters={filters}
        empty={<EmptyState of="console-affiliates.empty" />}
      />
      <SelectionBar selection={selection}>
        {bulkActs.map((act) => (
          <Button
            key={act}
            kind="quiet"
            type="button"
            onClick={() => navigate(address.hrefOf({ do: act }))}
          >
            {t(`console-affiliates.bulk.${act}`)}
          </Button>
        ))}
      </SelectionBar>
      {open === 'create' && <CreateDialog groups={groups.data?.items ?? []} onClose={close} />}
      {bulk && selection.ids.length > 0 && (
        <BulkDialog
          act={bulk}
          ids={selection.ids.map(Number)}
          groups={groups.data?.items ?? []}
          onClose={close}
        />
      )}
    </Screen>
  );
}
