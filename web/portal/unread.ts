import { hasAddon } from '../addons.ts';
import { api } from '../api.ts';
import { useData } from '../data.ts';
import { useSession } from '../session.ts';

/** What names the counts among the data of their families. */
export const UNREAD = { count: 'unread' };

export type Unread = 'messages' | 'news';

/** How many messages and announcements the person has not read. */
export function useUnread(): Readonly<Record<Unread, number>> {
  const { me, isView } = useSession();
  const isOwn = me.is_affiliate && !isView;
  const ask = { unread: true, per_page: 1 };
  const messages = useData(
    'messages',
    isOwn && hasAddon('messages') ? UNREAD : undefined,
    async () => (await api.affiliates.messages.list(me.user.id, ask)).total,
  );
  const news = useData(
    'news',
    isOwn && hasAddon('announcements') ? UNREAD : undefined,
    async () => (await api.affiliates.announcements.list(me.user.id, ask)).total,
  );
  return { messages: messages.data ?? 0, news: news.data ?? 0 };
}
