import { Link } from 'wouter-preact';
import type { Announcement } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { dateColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { t } from '../../../web/words.ts';
import { AnnouncementPill, reachedOf, subjectOf } from './announcement-state.tsx';
import { AnnouncementTabs, PATH } from './announcement-tabs.tsx';
import { SeriesDetail } from './series-detail.tsx';
import { SeriesList } from './series-list.tsx';

const PER_PAGE = 20;

const columns = (): Column<Announcement>[] => [
  { key: 'subject', label: t('console-announcements.title'), phone: 'title', cell: subjectOf },
  {
    key: 'state',
    label: t('console-announcements.state'),
    phone: 'state',
    cell: (announcement) => <AnnouncementPill announcement={announcement} />,
  },
  dateColumn(
    'date',
    t('console-announcements.date'),
    'detail',
    ({ date_started, date_created }) => date_started ?? date_created,
  ),
  ...(['reached', 'portal', 'mail', 'failed', 'unsubscribed'] as const).map(
    (name): Column<Announcement> => ({
      key: name,
      label: t(`console-announcements.column.${name}`),
      isNumber: true,
      phone: name === 'reached' ? 'aside' : 'none',
      cell: (announcement) =>
        announcement.date_started !== null &&
        { ...announcement.figures, ...reachedOf(announcement) }[name],
    }),
  ),
];

/** What the store has written to its affiliates, and what became of it; the series are a tab. */
export function Announcements() {
  const address = useAddress(PATH);
  const series = Number(address.get('series'));
  if (series > 0) return <SeriesDetail id={series} />;
  return address.get('tab') === 'series' ? <SeriesList /> : <AnnouncementList />;
}

function AnnouncementList() {
  const address = useAddress(PATH);
  const list = useData('announcements', { page: address.page, per_page: PER_PAGE }, (input) =>
    api.announcements.list(input),
  );
  return (
    <Screen
      title={t('console.nav.announcements')}
      aside={
        <Link class="button" data-kind="primary" href={`${PATH}/new`}>
          {t('console-announcements.write')}
        </Link>
      }
    >
      <AnnouncementTabs current="announcements" />
      <Listing
        address={address}
        caption={t('console.nav.announcements')}
        list={list}
        columns={columns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${PATH}/${id}`}
        filters={[]}
        empty={<EmptyState of="console-announcements.empty" />}
      />
    </Screen>
  );
}
