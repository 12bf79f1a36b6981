import { useLocation, useParams } from 'wouter-preact';
import type { Announcement, Receiver } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData, useRefreshing } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { useAddress, type Address } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { Card } from '../../../web/ui/card.tsx';
import { textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { formatNumber, t } from '../../../web/words.ts';
import { AnnouncementActions, OpenDialog } from './announcement-actions.tsx';
import { AnnouncementPill, reachedOf, subjectOf } from './announcement-state.tsx';
import { PATH } from './announcement-tabs.tsx';
import { AnnouncementEdit } from './edit.tsx';
import { MailServerNotice } from './mail-server.tsx';
import { Preview, usePreview } from './preview.tsx';
import { sentenceOf } from './segment-sentence.tsx';
import { WrittenTexts } from './text-fields.tsx';
import './announcements.css';

export { AnnouncementEdit };

const POLL_MS = 2_000;
const PER_PAGE = 25;

/** One announcement, or at `/console/announcements/new` a new one. */
export function AnnouncementDetail() {
  const { id = '' } = useParams();
  return id === 'new' ? <AnnouncementEdit /> : <Detail id={Number(id)} />;
}

/** Its text as one affiliate reads it, its receivers by name, and what became of it. */
function Detail({ id }: { id: number }) {
  const { data, error, retry } = useData('announcements', { id }, () => api.announcements.get(id));
  // It is sent in the background.
  useRefreshing(data?.state === 'sending' ? POLL_MS : undefined, 'announcements');
  return (
    <Screen
      title={data ? subjectOf(data) : t('console-announcements.single')}
      back={{ href: PATH, label: t('console.nav.announcements') }}
    >
      {data ? <Parts announcement={data} /> : <PendingCard error={error} retry={retry} lines={8} />}
    </Screen>
  );
}

function Parts({ announcement }: { announcement: Announcement }) {
  const { id, segment, texts, state } = announcement;
  const address = useAddress(`${PATH}/${id}`);
  const [, navigate] = useLocation();
  const preview = usePreview(texts, segment);
  const receivers = useData(
    'announcements',
    { receivers: id, page: address.page, per_page: PER_PAGE },
    ({ page, per_page }) => api.announcements.receivers.list(id, { page, per_page }),
  );
  const total = receivers.data?.total;
  const isAdding = state === 'sending' && total === 0;
  const noReceivers = isAdding ? 'adding' : state === 'series' ? 'series.noMembers' : 'no';
  const now = preview.isCurrent ? preview.data?.receivers : undefined;
  return (
    <>
      <div class="announcement-columns">
        <About announcement={announcement} address={address} now={now} />
        <div class="stack">
          <Preview preview={preview} />
          <WrittenTexts texts={texts} />
        </div>
      </div>
      <Listing
        title={titleOf(isAdding ? undefined : total)}
        fold={foldOf(total, address.page)}
        address={address}
        caption={t('console-announcements.receivers')}
        list={receivers}
        columns={columns()}
        keyOf={({ user_id }) => user_id}
        hrefOf={({ user_id }) => `/console/affiliates/${user_id}`}
        filters={[]}
        empty={<EmptyState of={`console-announcements.${noReceivers}`} />}
      />
      <OpenDialog
        announcement={announcement}
        receivers={
          now === undefined ? undefined : { count: now, sentence: sentenceOf(segment, now) }
        }
        address={address}
        onClose={() => navigate(address.hrefOf({ open: undefined }), { replace: true })}
      />
    </>
  );
}

/** More than these would fill the page; the sentence above says who they are. */
const FEW = 5;

function foldOf(total: number | undefined, page: number) {
  if (total === undefined) return undefined;
  return total > FEW && page === 1 ? 'closed' : 'open';
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

interface AboutProps {
  announcement: Announcement;
  address: Address;
  /** How many are in its segment now; undefined while that is not known. */
  now: number | undefined;
}

const problems = ['failed', 'unknown', 'muted', 'unsubscribed'] as const;

function About({ announcement, address, now }: AboutProps) {
  const { state, figures, channels, segment, send_at, date_started } = announcement;
  const when = date_started ?? send_at;
  const isBegun = date_started !== null;
  const isOver = state === 'sent' || state === 'cancelled';
  const count = isOver ? figures.receivers : now;
  const byMail = channels.includes('mail');
  return (
    <Card title={t('console-announcements.about')}>
      <Facts
        facts={[
          {
            name: t('console-announcements.state'),
            value: <AnnouncementPill announcement={announcement} />,
          },
          state !== 'series' && {
            name: t('console-announcements.to'),
            value:
              count === undefined
                ? t('console-announcements.counting')
                : sentenceOf(segment, count),
          },
          {
            name: t('console-announcements.channels'),
            value: channels
              .map((one) => t(`console-announcements.${one === 'mail' ? 'byMail' : 'inPortal'}`))
              .join(', '),
          },
          state !== 'series' && {
            name: t('console-announcements.when'),
            value: when === null ? t('console-announcements.now') : formatDate(when, 'exact'),
          },
          isBegun && {
            name: t('console-announcements.column.reached'),
            value: reachedText(announcement),
          },
          isBegun &&
            byMail &&
            figures.waiting > 0 && {
              name: t('console-announcements.waiting'),
              value: figures.waiting,
            },
          ...problems.map(
            (name) =>
              isBegun &&
              byMail &&
              figures[name] > 0 && {
                name: t(`console-announcements.${name}`),
                value: figures[name],
              },
          ),
        ]}
      />
      {byMail && !isOver && <MailServerNotice />}
      <AnnouncementActions announcement={announcement} address={address} />
    </Card>
  );
}

/** "41: 41 in the portal, 0 by email", with the channels that it uses. */
function reachedText(announcement: Announcement): string {
  const { reached, portal, mail } = reachedOf(announcement);
  const by = {
    portal: t('console-announcements.reachedInPortal', { people: portal }),
    mail: t('console-announcements.reachedByMail', { people: mail }),
  };
  const used = (['portal', 'mail'] as const).filter((one) => announcement.channels.includes(one));
  return `${formatNumber(reached)}: ${used.map((one) => by[one]).join(', ')}`;
}
