import { hasAddon } from '../addons.ts';
import { api } from '../api.ts';
import { useData } from '../data.ts';

/** What names the count among the data of its family. */
export const UNREAD = { count: 'unread' };

/** How many threads have messages that the team has not read; undefined while it is loading. */
export function useUnreadThreads(): number | undefined {
  const { data } = useData(
    'messages',
    hasAddon('messages') ? UNREAD : undefined,
    async () => (await api.messages.list({ unread: true, per_page: 1 })).total,
  );
  return data;
}
