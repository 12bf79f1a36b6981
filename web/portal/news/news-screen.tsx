import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Pager } from '../../ui/pager.tsx';
import { t } from '../../words.ts';
import './news.css';

const PER_PAGE = 10;

/** What the store has announced, newest first. */
export function NewsScreen() {
  const { me } = useSession();
  const address = useAddress('/app/news');
  const { data, error, retry } = useData(
    'news',
    { page: address.page, per_page: PER_PAGE },
    (input) => api.affiliates.announcements.list(me.user.id, input),
  );
  if (!data) {
    return (
      <Screen title={t('portal.nav.news')}>
        <Card>
          <Pending error={error} retry={retry} lines={6} />
        </Card>
      </Screen>
    );
  }
  return (
    <Screen title={t('portal.nav.news')}>
      {data.items.length === 0 && (
        <Card>
          <EmptyState title={t('portal.news.emptyTitle')}>{t('portal.news.emptyText')}</EmptyState>
        </Card>
      )}
      {data.items.map(({ id, subject, text, language, date }) => (
        <Card key={id} title={subject}>
          <p class="muted news-date">
            <Moment date={date} />
          </p>
          <div class="news-text" lang={language}>
            {text.split(/\n\s*\n/).map((part, i) => (
              <p key={i}>{withLinks(part)}</p>
            ))}
          </div>
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

/** Addresses in the text can be opened. */
function withLinks(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map((part, i) => (i % 2 === 1 ? <a href={part}>{part}</a> : part));
}
