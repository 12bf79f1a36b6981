import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Application } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress, type Address } from '../../frame/address.ts';
import { useKeys } from '../../frame/keys.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { SelectionBar, useSelection } from '../../ui/selection.tsx';
import { t } from '../../words.ts';
import { focusCurrent } from '../focus-current.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { ApplicationPanel } from './application-panel.tsx';
import { StatusPill } from './application-words.tsx';
import { BatchDialog } from './batch-dialog.tsx';
import { DeclineDialog, MessageDialog } from './decline-dialog.tsx';
import '../../ui/beside.css';

const PATH = '/console/applications';
const PER_PAGE = 25;
const views = ['pending', 'accepted', 'declined', 'all'] as const;
const dialogs = ['accept', 'decline', 'message'] as const;

/** Applications to decide about, with the open one beside the list. Keys: j and k, a, d, m. */
export function Applications() {
  const address = useAddress(PATH);
  const view = address.oneOf('view', views) ?? 'pending';
  const list = useApplications(address, view);
  const items = list.data?.items ?? [];
  const selection = useSelection(items.map(({ id }) => id));
  const openId = Number(address.get('open')) || undefined;
  const [, navigate] = useLocation();
  const go = (changes: Record<string, string | undefined>) => navigate(address.hrefOf(changes));
  const close = () => go({ dialog: undefined });

  /** After a decision the next application is shown, so that many can be decided in a row. */
  const next = (id: number) => {
    const at = items.findIndex((item) => item.id === id);
    const after = items[at + 1] ?? items[at - 1];
    go({ dialog: undefined, open: view === 'pending' ? after && String(after.id) : String(id) });
  };
  const step = (by: 1 | -1) => {
    const at = items.findIndex(({ id }) => id === openId);
    const other = items[at === -1 ? 0 : at + by];
    if (other) navigate(address.hrefOf({ open: String(other.id) }), { replace: true });
  };
  // Until the list is loaded, the keys work as for an application to decide.
  const { status = 'pending' } = items.find(({ id }) => id === openId) ?? {};
  const ask = (name: (typeof dialogs)[number]) => {
    focusCurrent();
    go({ dialog: name });
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    a: () => openId !== undefined && status !== 'accepted' && ask('accept'),
    d: () => openId !== undefined && status === 'pending' && ask('decline'),
    m: () => openId !== undefined && ask('message'),
  });
  const dialog = address.oneOf('dialog', dialogs);
  // Not in the address, which does not hold the selection either.
  const [batch, setBatch] = useState<{ status: 'accepted' | 'declined'; ids: number[] }>();
  const decideSelected = (to: 'accepted' | 'declined') =>
    setBatch({ status: to, ids: selection.ids.map(Number) });
  return (
    <Screen
      title={t('console.nav.applications')}
      aside={<p class="muted beside-keys">{t('console-applications.keys')}</p>}
    >
      <div class="beside-tools" data-open={openId !== undefined}>
        <Segmented
          label={t('console-applications.view')}
          current={view}
          options={optionsOf(views, (value) => t(`console-applications.view.${value}`))}
          hrefOf={(value) =>
            address.hrefOf({ view: value, page: undefined, open: undefined, dialog: undefined })
          }
        />
        <FilterBar
          address={address}
          list={list}
          search={t('console-applications.search')}
          sorts={[
            { value: '-date', label: t('console-applications.newest') },
            { value: 'date', label: t('console-applications.oldest') },
          ]}
        />
      </div>
      <div class="beside" data-open={openId !== undefined}>
        <div class="beside-list">
          <Listing
            address={address}
            caption={t('console.nav.applications')}
            list={list}
            columns={columnsFor(view, openId)}
            keyOf={({ id }) => id}
            nameOf={({ user }) => user.display_name}
            hrefOf={({ id }) => address.hrefOf({ open: String(id) })}
            defaultSort="-date"
            filters={['q']}
            {...(view !== 'accepted' && { selection })}
            empty={view === 'pending' ? <NothingToDecide /> : <NoneYet />}
          />
          <SelectionBar selection={selection}>
            <Button type="button" onClick={() => decideSelected('accepted')}>
              {t('console-applications.acceptMany')}
            </Button>
            {view !== 'declined' && (
              <Button kind="quiet" type="button" onClick={() => decideSelected('declined')}>
                {t('console-applications.declineMany')}
              </Button>
            )}
          </SelectionBar>
        </div>
        {openId !== undefined && (
          <ApplicationPanel
            key={openId}
            id={openId}
            closeHref={address.hrefOf({ open: undefined, dialog: undefined })}
            onAct={(name) => go({ dialog: name })}
          />
        )}
      </div>
      {openId !== undefined && dialog === 'accept' && (
        <AcceptDialog id={openId} onClose={close} onDone={() => next(openId)} />
      )}
      {openId !== undefined && dialog === 'decline' && (
        <DeclineDialog id={openId} onClose={close} onDone={() => next(openId)} />
      )}
      {openId !== undefined && dialog === 'message' && (
        <MessageDialog id={openId} onClose={close} />
      )}
      {batch && <BatchDialog {...batch} items={items} onClose={() => setBatch(undefined)} />}
    </Screen>
  );
}

function useApplications(address: Address, view: (typeof views)[number]) {
  const q = address.get('q');
  const sort = address.oneOf('sort', ['-date', 'date']) ?? '-date';
  const { page } = address;
  return useData(
    'applications',
    {
      status: view === 'all' ? undefined : view,
      search: q || undefined,
      sort,
      page,
      per_page: PER_PAGE,
    },
    (input) => api.registrations.search(input),
  );
}

/** Beside the open application there is room for the name and the date. */
function columnsFor(view: string, openId: number | undefined): Column<Application>[] {
  const name: Column<Application> = {
    key: 'name',
    label: t('console-applications.name'),
    phone: 'title',
    cell: ({ id, user }) => (
      <span class={id === openId ? 'beside-current' : undefined}>{user.display_name}</span>
    ),
  };
  const answers: Column<Application>[] = [
    {
      key: 'email',
      label: t('console-applications.email'),
      phone: 'detail',
      cell: ({ user }) => <span class="beside-cut">{user.email}</span>,
    },
    {
      key: 'website',
      label: t('console-applications.website'),
      phone: 'none',
      cell: ({ website }) => (
        <span class="beside-cut">{website.replace(/^https?:\/\/(www\.)?/, '')}</span>
      ),
    },
    {
      key: 'promote',
      label: t('console-applications.promote'),
      phone: 'none',
      cell: ({ promote }) => <span class="beside-cut">{promote}</span>,
    },
  ];
  const status: Column<Application> = {
    key: 'status',
    label: t('console-applications.status'),
    phone: 'state',
    cell: (application) => <StatusPill application={application} />,
  };
  const date: Column<Application> = {
    key: 'date',
    label: t('console-applications.date'),
    phone: 'aside',
    sort: 'date',
    cell: ({ date: received }) => <Moment date={received} />,
  };
  return [
    name,
    ...(openId === undefined ? answers : []),
    ...(view === 'all' ? [status] : []),
    date,
  ];
}

function NothingToDecide() {
  const { publicUrl = location.origin } = document.getElementById('app')!.dataset;
  const url = `${publicUrl}/apply`;
  return (
    <EmptyState
      title={t('console-applications.emptyTitle')}
      action={<CopyButton text={url} label={t('console-applications.emptyAction')} />}
    >
      {t('console-applications.emptyText', { url })}
    </EmptyState>
  );
}

function NoneYet() {
  return <EmptyState of="console-applications.none" />;
}
