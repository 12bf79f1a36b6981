import { useLocation } from 'wouter-preact';
import { useData, useRefreshedOnWay, type Family } from '../data.ts';
import { useSession } from '../session.ts';

/** What names a count among the data of its family. */
const UNREAD = { count: 'unread' };

type List = (userId: number, input: { unread: true; per_page: 1 }) => Promise<{ total: number }>;

/** How many things of a list the person has not read; nothing of what the team looks at. */
export function useUnread(family: Family, list: List): number {
  const { me, isView } = useSession();
  const [path] = useLocation();
  useRefreshedOnWay(path, [family, UNREAD]);
  const { data } = useData(family, me.is_affiliate && !isView ? UNREAD : undefined, () =>
    list(me.user.id, { unread: true, per_page: 1 }),
  );
  return data?.total ?? 0;
}
