import { useLocation } from 'wouter-preact';
import { api } from '../api.ts';
import { useData, useRefreshedOnWay, type Family } from '../data.ts';
import { useSession } from '../session.ts';

/** What names a count among the data of its family. */
const UNREAD = { count: 'unread' };

/** How many things the person has not read, as `load` counts them; nothing of what the team looks at. */
export function useUnread(family: Family, load: (userId: number) => Promise<number>): number {
  const { me, isView } = useSession();
  const [path] = useLocation();
  useRefreshedOnWay(path, [family, UNREAD]);
  const { data } = useData(family, me.is_affiliate && !isView ? UNREAD : undefined, () =>
    load(me.user.id),
  );
  return data ?? 0;
}

/** What asks for the number of unread things alone. */
export const UNREAD_ONE = { unread: true, per_page: 1 };

export const useUnreadNews = () =>
  useUnread('news', async (id) => (await api.affiliates.announcements.list(id, UNREAD_ONE)).total);
