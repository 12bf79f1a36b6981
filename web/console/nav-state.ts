import { hasAddon } from '../addons.ts';
import { api } from '../api.ts';
import { useData, useRefreshedOnWay } from '../data.ts';
import { storeToday } from '../format.ts';
import type { ConsoleScreenName } from '../../src/web-contract/console-screens.ts';
import { UNREAD, useUnreadThreads } from './unread-threads.ts';

/** The screens of a program's first day. The others appear with the first thing that they are about. */
const always: readonly ConsoleScreenName[] = [
  'overview',
  'payouts',
  'affiliates',
  'orders',
  'rewards',
  'stores',
  'settings',
];

/** Which screens had something once, so that they stay, and are there before the service answers. */
const KEPT = 'screens in use';

const NEEDS = { part: 'needs' };

/** What the navigation shows: how many things wait on a screen, and which screens are in use. */
export interface NavState {
  readonly counts: Partial<Record<ConsoleScreenName, number>>;
  readonly used: ReadonlySet<string>;
}

export function useNavState(path: string): NavState {
  const messages = useUnreadThreads();
  const { data } = useData('overview', NEEDS, loadState);
  useRefreshedOnWay(path, ['messages', UNREAD]);
  useRefreshedOnWay(path, ['overview', NEEDS]);
  const counts = { ...data?.counts, ...(messages !== undefined && { messages }) };
  const waiting = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? name : []));
  const used = new Set([...always, ...kept(), ...(data?.used ?? []), ...waiting]);
  return { counts, used };
}

async function loadState() {
  const today = storeToday();
  const { needs, steps } = await api.overview.get({ from: today, to: today });
  const countOf = (name: string) => needs.find((need) => need.name === name)?.count ?? 0;
  const isDone = (name: string) => steps.find((step) => step.name === name)?.done ?? true;
  const used = new Set<ConsoleScreenName>(kept());
  if (isDone('affiliate'))
    for (const name of ['applications', 'creatives'] as const) used.add(name);
  if (isDone('order')) {
    for (const name of ['messages', 'announcements', 'reports'] as const) used.add(name);
    if (!used.has('review') && hasAddon('review') && (await hasCases())) used.add('review');
  }
  localStorage.setItem(KEPT, JSON.stringify([...used]));
  const counts = {
    payouts: countOf('payouts_to_review'),
    applications: countOf('applications'),
    review: countOf('cases_open'),
  };
  return { counts, used };
}

const hasCases = async () => (await api.cases.list({ per_page: 1 })).total > 0;

function kept(): ConsoleScreenName[] {
  try {
    // Written by this file.
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]') as ConsoleScreenName[];
  } catch {
    return [];
  }
}
