import { Redirect, useParams } from 'wouter-preact';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { t } from '../../../web/words.ts';
import { AnnouncementForm } from './announcement-form.tsx';
import { PATH } from './announcement-tabs.tsx';
import './announcements.css';

/** Writes an announcement, `/console/announcements/new`, or changes a draft, `/console/announcements/<id>/edit`. */
export function AnnouncementEdit() {
  const { id = '' } = useParams();
  return id === 'new' ? <NewAnnouncement /> : <Draft id={Number(id)} />;
}

function NewAnnouncement() {
  return (
    <Screen
      title={t('console-announcements.write')}
      back={{ href: PATH, label: t('console.nav.announcements') }}
    >
      <AnnouncementForm />
    </Screen>
  );
}

function Draft({ id }: { id: number }) {
  const { data, error, retry } = useData('announcements', { id }, () => api.announcements.get(id));
  if (data && data.state !== 'draft') return <Redirect to={`${PATH}/${id}`} replace />;
  return (
    <Screen
      title={t('console-announcements.change')}
      back={{ href: `${PATH}/${id}`, label: t('console-announcements.single') }}
    >
      {data ? (
        <AnnouncementForm draft={data} />
      ) : (
        <PendingCard error={error} retry={retry} lines={12} />
      )}
    </Screen>
  );
}
