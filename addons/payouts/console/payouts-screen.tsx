import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ReviewPayout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, type Loaded } from '../../../web/data.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Button } from '../../../web/ui/button.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { FilterBar } from '../../../web/ui/filter-bar.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Segmented } from '../../../web/ui/segmented.tsx';
import { t } from '../../../web/words.ts';
import { FileDialog } from './file-dialog.tsx';
import { columnsOf } from './payout-columns.tsx';
import { ChooseAllButton, PayoutSelectionBar } from './payout-selection-bar.tsx';
import { methodName } from './payout-words.ts';
import { ResultDialog } from './result-dialog.tsx';
import { RetryDialog } from './retry-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { choose, chooseOnly, chosen, CHOSEN_MAX, selectionOf } from './selection.ts';
import { countedTabs, tabNames, tabs, type TabName } from './tabs.ts';
import './payouts.css';

const PATH = '/console/payouts';
const PER_PAGE = 25;
const filters = ['q', 'method', 'from', 'to'] as const;
const dialogs = ['review', 'file', 'result', 'retry'] as const;

/** The payouts of the store. Tab, search, filters, order, page and open dialog are the address. */
export function Payouts() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const tab = address.oneOf('tab', tabNames) ?? 'review';
  const dialog = address.oneOf('dialog', dialogs);
  const query = queryOf(address, tab);
  const list = useData('payouts', { ...query, page: address.page, per_page: PER_PAGE }, (input) =>
    api.payouts.search(input),
  );
  // What was chosen in another tab has other acts.
  useLayoutEffect(() => chooseOnly(tabs[tab].status.split(',')), [tab]);
  const { items: shown = [], total = 0 } = list.data ?? {};
  const isSelectable = tab !== 'paid' && tab !== 'cancelled';
  const open = (name: (typeof dialogs)[number] | undefined) =>
    navigate(address.hrefOf({ dialog: name }), { replace: name === undefined });
  const close = () => open(undefined);
  return (
    <Screen
      title={t('console.nav.payouts')}
      aside={
        <Button kind="quiet" onClick={() => open('result')}>
          {t('console-payouts.result.action')}
        </Button>
      }
    >
      <Tabs address={address} current={tab} />
      <Filters address={address} list={list}>
        {isSelectable && (!list.data || total > 0) && (
          <ChooseAllButton total={total} loadAll={() => loadAll(query)} />
        )}
      </Filters>
      <Listing
        address={address}
        caption={t(`console-payouts.tab.${tab}`)}
        list={list}
        columns={columnsOf(tab)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${PATH}/${id}`}
        nameOf={({ id, affiliate }) =>
          t('console-payouts.payoutOf', { id: String(id), name: affiliate.name })
        }
        defaultSort={tabs[tab].sort}
        filters={filters}
        {...(isSelectable && { selection: selectionOf(shown) })}
        empty={
          <EmptyState title={t(`console-payouts.emptyTitle.${tab}`)}>
            {t(`console-payouts.emptyText.${tab}`)}
          </EmptyState>
        }
      />
      {isSelectable && <PayoutSelectionBar tab={tab} onOpen={open} />}
      {dialog === 'review' && (
        <ReviewDialog
          acts={tabs[tab].acts.length > 0 ? tabs[tab].acts : tabs.review.acts}
          onClose={close}
          onFile={(payouts) => {
            choose(payouts.map((payout) => ({ ...payout, status: 'created' })));
            navigate(address.hrefOf({ tab: 'progress', dialog: 'file' }));
          }}
        />
      )}
      {dialog === 'file' && <FileDialog payouts={[...chosen.value.values()]} onClose={close} />}
      {dialog === 'result' && <ResultDialog onClose={close} />}
      {dialog === 'retry' && <RetryDialog onClose={close} />}
    </Screen>
  );
}

type Query = ReturnType<typeof queryOf>;

function queryOf(address: Address, tab: TabName) {
  const optional = (name: string) => address.get(name) || undefined;
  return {
    status: tabs[tab].status,
    search: optional('q'),
    method: optional('method'),
    from: optional('from'),
    to: optional('to'),
    sort: sorts.find((known) => known === address.sort) ?? tabs[tab].sort,
  };
}

const sorts = ['created', '-created', 'updated', '-updated', 'amount', '-amount'] as const;

const PER_CALL = 100;

/** All payouts that match, also those of other pages, as many as can be changed at once. */
async function loadAll(query: Query): Promise<ReviewPayout[]> {
  const found: ReviewPayout[] = [];
  for await (const payout of api.payouts.search({ ...query, per_page: PER_CALL })) {
    if (found.push(payout) === CHOSEN_MAX) break;
  }
  return found;
}

/** A tab in which payouts wait shows their number. */
function Tabs({ address, current }: { address: Address; current: TabName }) {
  const { data: counts } = useData('payouts', { part: 'counts' }, async () => {
    const pages = await Promise.all(
      countedTabs.map((tab) => api.payouts.search({ status: tabs[tab].status, per_page: 1 })),
    );
    return new Map<TabName, number>(countedTabs.map((tab, i) => [tab, pages[i]!.total]));
  });
  return (
    <Segmented
      label={t('console-payouts.tabs')}
      current={current}
      options={tabNames.map((value) => {
        const option = { value, label: t(`console-payouts.tab.${value}`) };
        const isCounted = countedTabs.some((tab) => tab === value);
        return isCounted ? { ...option, count: counts?.get(value) } : option;
      })}
      hrefOf={(value) =>
        address.hrefOf({
          tab: value === 'review' ? undefined : value,
          page: undefined,
          sort: undefined,
          dialog: undefined,
        })
      }
    />
  );
}

interface FiltersProps {
  address: Address;
  list: Loaded<{ items: readonly unknown[] }>;
  children: ComponentChildren;
}

function Filters({ address, list, children }: FiltersProps) {
  const { data } = useData('payout-methods', {}, () => api.payoutMethods.get());
  return (
    <FilterBar
      address={address}
      list={list}
      search={t('console-payouts.search')}
      filters={[
        {
          name: 'method',
          label: t('console-payouts.method'),
          options: (data?.methods ?? []).map(({ method_type, method }) => ({
            value: method_type,
            label: methodName(method_type, method),
          })),
        },
      ]}
      dates
      sorts={sorts.map((value) => ({ value, label: t(`console-payouts.sort.${value}`) }))}
    >
      {children}
    </FilterBar>
  );
}
