import { useLayoutEffect, useState } from 'preact/hooks';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Screen } from '../../../web/frame/screen.tsx';
import { useSession } from '../../../web/session.ts';
import { Card } from '../../../web/ui/card.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { PendingCard } from '../../../web/ui/error-state.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Pager } from '../../../web/ui/pager.tsx';
import { Pill } from '../../../web/ui/pill.tsx';
import { PlainText } from '../../../web/ui/plain-text.tsx';
import { t } from '../../../web/words.ts';

const PER_PAGE = 10;

/** What the store has announced, newest first. */
export function NewsScreen() {
  const { me, isView } = useSession();
  const address = useAddress('/app/news');
  const { data, error, retry } = useData(
    'news',
    { page: address.page, per_page: PER_PAGE },
    (input) => api.affiliates.announcements.list(me.user.id, input),
  );
  const newest = data?.items[0]?.id;
  const isUnread = data?.items.some(({ read }) => !read) ?? false;
  // What was new stays marked for as long as the screen is open.
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  useLayoutEffect(() => {
    if (!data || newest === undefined || !isUnread || isView) return;
    const unread = data.items.filter(({ read }) => !read).map(({ id }) => id);
    setFresh((before) => new Set([...before, ...unread]));
    void markRead(me.user.id, newest);
  }, [newest, isUnread, isView]);
  if (!data) {
    return (
      <Screen title={t('portal.nav.news')}>
        <PendingCard error={error} retry={retry} lines={6} />
      </Screen>
    );
  }
  return (
    <Screen title={t('portal.nav.news')}>
      {data.items.length === 0 && (
        <Card>
          <EmptyState of="portal.news.empty" />
        </Card>
      )}
      {data.items.map(({ id, subject, text, language, date }) => (
        <Card
          key={id}
          title={subject}
          aside={fresh.has(id) && <Pill kind="accent">{t('portal.news.new')}</Pill>}
        >
          <p class="muted">
            <Moment date={date} />
          </p>
          <PlainText text={text} lang={language} />
        </Card>
      ))}
      <Pager
        label={t('portal.nav.news')}
        page={address.page}
        pages={data.pages}
        hrefOf={(page) => address.hrefOf({ page: String(page) })}
      />
    </Screen>
  );
}

/** Nothing waits for it: if it fails, the news are marked when they are shown again. */
async function markRead(id: number, announcement_id: number): Promise<void> {
  try {
    await act((options) => api.affiliates.announcements.read(id, { announcement_id }, options));
    await refresh('news');
  } catch {
    // As above.
  }
}
