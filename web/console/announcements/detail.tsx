import { useLocation, useParams } from 'wouter-preact';
import type { Announcement, Receiver } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData, useRefreshing } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useAddress, type Address } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { textColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PendingCard } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Listing } from '../../ui/listing.tsx';
import { t } from '../../words.ts';
import { AnnouncementActions, OpenDialog } from './announcement-actions.tsx';
import { AnnouncementPill, subjectOf } from './announcement-state.tsx';
import { WrittenTexts } from './text-fields.tsx';
import './announcements.css';

const POLL_MS = 2_000;
const PER_PAGE = 25;

/** One announcement: its text, its receivers by name, and what became of it. */
export function AnnouncementDetail() {
  const id = Number(useParams<{ id: string }>().id);
  const address = useAddress(`/console/announcements/${id}`);
  const [, navigate] = useLocation();
  const { data, error, retry } = useData('announcements', { id }, () => api.announcements.get(id));
  // It is sent in the background.
  useRefreshing(data?.state === 'sending' ? POLL_MS : undefined, 'announcements');
  const receivers = useData(
    'announcements',
    { receivers: id, page: address.page, per_page: PER_PAGE },
    ({ page, per_page }) => api.announcements.receivers.list(id, { page, per_page }),
  );
  return (
    <Screen
      title={data ? subjectOf(data) : t('console-announcements.single')}
      back={{ href: '/console/announcements', label: t('console.nav.announcements') }}
    >
      {data ? (
        <>
          <About announcement={data} address={address} />
          <WrittenTexts texts={data.texts} />
          <Listing
            title={titleOf(receivers.data?.total)}
            address={address}
            caption={t('console-announcements.receivers')}
            list={receivers}
            columns={columns()}
            keyOf={({ user_id }) => user_id}
            hrefOf={({ user_id }) => `/console/affiliates/${user_id}`}
            filters={[]}
            empty={
              <EmptyState title={t('console-announcements.noReceivers')}>
                {t('console-announcements.noReceiversText')}
              </EmptyState>
            }
          />
          <OpenDialog
            announcement={data}
            receivers={receivers.data?.total}
            address={address}
            onClose={() => navigate(address.hrefOf({ open: undefined }), { replace: true })}
          />
        </>
      ) : (
        <PendingCard error={error} retry={retry} lines={8} />
      )}
    </Screen>
  );
}

/** The count is next to the names. */
function titleOf(total: number | undefined): string {
  const title = t('console-announcements.receivers');
  return total === undefined ? title : `${title}: ${total}`;
}

const columns = (): Column<Receiver>[] => [
  { key: 'name', label: t('console-announcements.name'), phone: 'title', cell: ({ name }) => name },
  textColumn('email', t('console-announcements.email'), 'detail', ({ email }) => email),
  {
    key: 'state',
    label: t('console-announcements.state'),
    phone: 'state',
    cell: ({ state }) => state && t(`console-announcements.receiver.${state}`),
  },
  textColumn('error', t('console-announcements.error'), 'detail', ({ error }) => error),
];

function About({ announcement, address }: { announcement: Announcement; address: Address }) {
  const { state, figures, channels, send_at, date_started } = announcement;
  const when = date_started ?? send_at;
  const counts = ['sent', 'waiting', 'failed', 'unknown', 'muted', 'unsubscribed'] as const;
  const isBegun = date_started !== null;
  return (
    <Card title={t('console-announcements.about')}>
      <Facts
        facts={[
          { name: t('console-announcements.state'), value: <AnnouncementPill state={state} /> },
          {
            name: t('console-announcements.channels'),
            value: channels
              .map((one) =>
                t(
                  one === 'mail'
                    ? 'console-announcements.byMail'
                    : 'console-announcements.inPortal',
                ),
              )
              .join(', '),
          },
          {
            name: t('console-announcements.when'),
            value: when === null ? t('console-announcements.now') : formatDate(when, 'exact'),
          },
          ...counts.map(
            (name) =>
              isBegun &&
              channels.includes('mail') && {
                name: t(`console-announcements.${name}`),
                value: figures[name],
              },
          ),
        ]}
      />
      <AnnouncementActions announcement={announcement} address={address} />
    </Card>
  );
}
