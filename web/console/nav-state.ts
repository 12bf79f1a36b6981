import { api } from '../api.ts';
import { useData, useRefreshedOnWay } from '../data.ts';
import { storeToday } from '../format.ts';
import type { ConsoleScreenName } from './console-screen.ts';
import type { ConsoleScreen } from './screens.ts';

/** Which screens had something once, so that they stay, and are there before the service answers. */
const KEPT = 'screens in use';

const NEEDS = { part: 'needs' };

/** What the navigation shows: how many things wait on a screen, and which screens are in use. */
export interface NavState {
  readonly counts: Partial<Record<ConsoleScreenName, number>>;
  readonly used: ReadonlySet<string>;
}

/** The screens of a program's first day are in use. The others appear with the first thing that they are about. */
export function useNavState(path: string, screens: readonly ConsoleScreen[]): NavState {
  const unread = screens.flatMap(({ name, useUnread }) => {
    const count = useUnread?.();
    return count === undefined ? [] : [[name, count] as const];
  });
  const { data } = useData('overview', NEEDS, () => loadState(screens));
  useRefreshedOnWay(path, ['overview', NEEDS]);
  const counts = { ...data?.counts, ...Object.fromEntries(unread) };
  const waiting = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? name : []));
  const always = screens.filter(({ appearsAfter }) => !appearsAfter).map(({ name }) => name);
  const used = new Set([...always, ...kept(), ...(data?.used ?? []), ...waiting]);
  return { counts, used };
}

async function loadState(screens: readonly ConsoleScreen[]) {
  const today = storeToday();
  const { needs, steps } = await api.overview.get({ from: today, to: today });
  const countOf = (name: string) => needs.find((need) => need.name === name)?.count ?? 0;
  const isDone = (name: string) => steps.find((step) => step.name === name)?.done ?? true;
  const used = new Set<string>(kept());
  for (const { name, appearsAfter, hasContent } of screens) {
    if (!appearsAfter || used.has(name) || !isDone(appearsAfter)) continue;
    if (!hasContent || (await hasContent())) used.add(name);
  }
  localStorage.setItem(KEPT, JSON.stringify([...used]));
  const counts: NavState['counts'] = Object.fromEntries(
    screens.flatMap(({ name, need }) => (need ? [[name, countOf(need)]] : [])),
  );
  return { counts, used };
}

function kept(): string[] {
  try {
    // Written by this file.
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]') as string[];
  } catch {
    return [];
  }
}
