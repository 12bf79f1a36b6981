import { api } from '../../../web/api.ts';
import { useLocation } from 'wouter-preact';
import { useData, useRefreshedOnWay } from '../../../web/data.ts';

/** What names the count among the data of its family. */
const UNREAD = { count: 'unread' };

/** How many threads have messages that the team has not read; undefined while it is loading. */
export function useUnreadThreads(): number | undefined {
  const [path] = useLocation();
  useRefreshedOnWay(path, ['messages', UNREAD]);
  const { data } = useData(
    'messages',
    UNREAD,
    async () => (await api.messages.list({ unread: true, per_page: 1 })).total,
  );
  return data;
}
