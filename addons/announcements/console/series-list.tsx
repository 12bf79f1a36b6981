import { Link, useLocation } from 'wouter-preact';
import type { Series } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { t } from '../../../web/words.ts';
import { AnnouncementTabs, PATH } from './announcement-tabs.tsx';
import { SeriesForm } from './series-form.tsx';

const PER_PAGE = 20;

const columns = (): Column<Series>[] => [
  textColumn('name', t('console-announcements.series.name'), 'title', ({ name }) => name),
  {
    key: 'active',
    label: t('console-announcements.state'),
    phone: 'state',
    cell: ({ active }) => <SeriesPill isActive={active} />,
  },
  textColumn('start', t('console-announcements.series.start'), 'detail', startOf),
  ...(['waiting', 'completed', 'left'] as const).map((name): Column<Series> => ({
    key: name,
    label: t(`console-announcements.series.${name}`),
    isNumber: true,
    phone: name === 'waiting' ? 'aside' : 'none',
    cell: ({ figures }) => figures[name],
  })),
];

export function SeriesPill({ isActive }: { isActive: boolean }) {
  return (
    <Pill kind={isActive ? 'good' : 'plain'}>
      {t(isActive ? 'console-announcements.series.on' : 'console-announcements.series.off')}
    </Pill>
  );
}

/** What makes affiliates enter, in words. */
export function startOf({ starts_on, idle_days }: Pick<Series, 'starts_on' | 'idle_days'>): string {
  return starts_on === 'idle'
    ? t('console-announcements.start.idle', { count: idle_days ?? 0 })
    : t(`console-announcements.starts.${starts_on}`);
}

const ready = ['welcome', 'firstOrder', 'sleeping'] as const;

/** What there is to begin with. */
function ReadySeries() {
  return (
    <EmptyState
      of="console-announcements.series.empty"
      action={
        <div class="stack ready-series">
          <ItemList
            items={ready.map((name) => ({
              key: name,
              title: t(`console-announcements.ready.${name}`),
              detail: t(`console-announcements.ready.${name}Text`),
            }))}
          />
          <Form
            action={t('console-announcements.ready.add')}
            submit={async (_values, options) => {
              await api.series.ready(options);
              await refresh('mail-series');
            }}
          />
        </div>
      }
    />
  );
}

/** The series of mails: who enters, and how many are where. */
export function SeriesList() {
  const address = useAddress(PATH);
  const [, navigate] = useLocation();
  const list = useData('mail-series', { page: address.page, per_page: PER_PAGE }, (input) =>
    api.series.list(input),
  );
  return (
    <Screen
      title={t('console.nav.announcements')}
      guide="series"
      aside={
        <Link class="button" data-kind="primary" href={address.hrefOf({ write: '1' })}>
          {t('console-announcements.series.create')}
        </Link>
      }
    >
      <AnnouncementTabs current="series" />
      <p class="muted">{t('console-announcements.series.how')}</p>
      <Listing
        address={address}
        caption={t('console-announcements.tab.series')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${PATH}?series=${id}`}
        filters={[]}
        empty={<ReadySeries />}
      />
      {address.get('write') !== '' && (
        <SeriesForm
          onClose={() => navigate(address.hrefOf({ write: undefined }), { replace: true })}
          onDone={(id) => navigate(`${PATH}?series=${id}`, { replace: true })}
        />
      )}
    </Screen>
  );
}
