import { batch, computed, signal, type Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isSignedOut } from './api.ts';
import { isLimit, isPassing, waitMsAfter } from './waiting.ts';

/** What a screen knows about a piece of data. */
export interface Loaded<T> {
  /** The last data, also while newer is loading or cannot be had. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** The data is of an earlier time or of an earlier key, and the newer is not here yet. */
  readonly stale: boolean;
  retry(): void;
}

/** Pieces of data that the same changes outdate, such as a list and the objects in it. Add-ons merge theirs into it. */
export interface Families {
  activity: true;
  addons: true;
  affiliates: true;
  applications: true;
  balance: true;
  campaigns: true;
  clicks: true;
  commission: true;
  coupons: true;
  effects: true;
  events: true;
  groups: true;
  imports: true;
  keys: true;
  mails: true;
  orders: true;
  outbox: true;
  overview: true;
  passkeys: true;
  payouts: true;
  'report-views': true;
  reports: true;
  rewards: true;
  series: true;
  sessions: true;
  settings: true;
  sources: true;
  statement: true;
  stores: true;
  tags: true;
  team: true;
}
export type Family = keyof Families;

/** What names a piece of data within its family: the id of an object, the part of it, the filters of a list. */
type Input = Readonly<Record<string, unknown>>;

/** A whole family, or what has these values in its input. */
type Changed = Family | readonly [Family, Input];

interface Entry {
  readonly family: Family;
  readonly input: Input;
  readonly state: Signal<{ data: unknown; error: unknown; loading: boolean }>;
  load: () => Promise<unknown>;
  /** How many components show it. */
  users: number;
  loadedMs: number;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  running: Promise<void> | undefined;
}

/** By family and input, in the order of their last use. */
const entries = new Map<string, Entry>();
/** This many entries that no component shows stay in memory, for the way back. */
const UNUSED_MAX = 50;

/** Data of this age is not loaded again because a screen is opened. */
const FRESH_MS = 5_000;

const failing = signal(0);
const isLimited = signal(false);
const isOnline = signal(navigator.onLine);

/** `offline` as the browser says, `failing` while the service does not answer, `limited` after too many calls. */
export const connection = computed<'good' | 'offline' | 'failing' | 'limited'>(() => {
  if (!isOnline.value) return 'offline';
  if (failing.value === 0) return 'good';
  return isLimited.value ? 'limited' : 'failing';
});

/**
 * The data that `load` answers for this input. What is in memory is shown at once and loaded again in the
 * background. Without an input nothing is loaded. Passing failures (no connection, 5xx) are repeated until they pass.
 */
export function useData<T, const I extends Input>(
  family: Family,
  input: I | undefined,
  load: (input: I) => Promise<T>,
): Loaded<T> {
  const key = `${family} ${JSON.stringify(input)}`;
  const entry = useMemo(() => input && entryOf(key, family, input), [key]);
  if (entry && input) entry.load = () => load(input);
  const last = useRef<T | undefined>(undefined);
  useLayoutEffect(() => {
    if (!entry) return;
    entry.users += 1;
    if (Date.now() - entry.loadedMs > FRESH_MS) void run(entry);
    return () => {
      entry.users -= 1;
      if (entry.users === 0) release(key, entry);
    };
  }, [entry]);
  const state = entry?.state.value ?? { data: undefined, error: undefined, loading: false };
  // Each key has one type of data, that of its `load`.
  const own = state.data as T | undefined;
  if (own !== undefined) last.current = own;
  const data = own ?? last.current;
  return {
    data,
    error: state.error,
    loading: state.loading || (entry !== undefined && own === undefined && !state.error),
    stale: data !== undefined && (own === undefined || state.error !== undefined),
    retry: () => {
      if (entry) void run(entry);
    },
  };
}

function entryOf(key: string, family: Family, input: Input): Entry {
  let entry = entries.get(key);
  if (!entry) {
    entry = {
      family,
      input,
      state: signal({ data: undefined, error: undefined, loading: false }),
      load: () => Promise.resolve(),
      users: 0,
      loadedMs: -Infinity,
      failures: 0,
      timer: undefined,
      running: undefined,
    };
    entries.set(key, entry);
  }
  return entry;
}

/** No component shows it any more. The entries whose last use is the longest ago are dropped. */
function release(key: string, entry: Entry): void {
  settle(entry);
  entries.delete(key);
  entries.set(key, entry);
  const unused = [...entries].filter(([, { users }]) => users === 0);
  for (const [old] of unused.slice(0, -UNUSED_MAX)) entries.delete(old);
}

function run(entry: Entry): Promise<void> {
  entry.running ??= attempt(entry).finally(() => (entry.running = undefined));
  return entry.running;
}

async function attempt(entry: Entry): Promise<void> {
  clearTimeout(entry.timer);
  const before = entry.state.peek();
  entry.state.value = { ...before, loading: true };
  try {
    const data = await entry.load();
    entry.loadedMs = Date.now();
    batch(() => {
      settle(entry);
      entry.state.value = { data, error: undefined, loading: false };
    });
  } catch (error) {
    batch(() => {
      entry.state.value = { ...entry.state.peek(), error, loading: false };
      if (isPassing(error) && entry.users > 0) tryLater(entry, error);
      else settle(entry);
    });
  }
}

function tryLater(entry: Entry, error: unknown): void {
  if (entry.failures === 0) failing.value += 1;
  entry.failures += 1;
  isLimited.value = isLimit(error);
  entry.timer = setTimeout(() => void run(entry), waitMsAfter(error, entry.failures));
}

/** Its failures are over, or nothing waits for them. */
function settle(entry: Entry): void {
  clearTimeout(entry.timer);
  if (entry.failures > 0) failing.value -= 1;
  entry.failures = 0;
}

/** After a change: what is shown of it is loaded again, the rest when it is opened. */
export async function refresh(...changed: readonly Changed[]): Promise<void> {
  const old = [...entries.values()].filter((entry) => changed.some((one) => covers(one, entry)));
  for (const entry of old) entry.loadedMs = -Infinity;
  // A call that began before the change may not know of it yet.
  await Promise.all(old.map(async ({ running }) => running));
  await Promise.all(old.filter(({ users }) => users > 0).map(run));
}

function covers(changed: Changed, { family, input }: Entry): boolean {
  const [name, values] = typeof changed === 'string' ? [changed, {}] : changed;
  return name === family && Object.entries(values).every(([key, value]) => input[key] === value);
}

/** Refreshes what changes in the background, until `everyMs` is undefined. */
export function useRefreshing(everyMs: number | undefined, changing: Changed): void {
  useLayoutEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => void refresh(changing), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, JSON.stringify(changing)]);
}

/** What is shown all the time, such as a count in the navigation, is loaded again at most this often. */
const COUNT_MS = 60_000;

/** Refreshes what is shown all the time when the person goes to another screen. */
export function useRefreshedOnWay(path: string, shown: Changed): void {
  const loadedMs = useRef(Date.now());
  useLayoutEffect(() => {
    if (Date.now() - loadedMs.current < COUNT_MS) return;
    loadedMs.current = Date.now();
    void refresh(shown);
  }, [path]);
}

function refreshShown(): void {
  if (document.visibilityState === 'hidden') return;
  for (const entry of entries.values()) {
    const isDue = entry.failures > 0 || Date.now() - entry.loadedMs > FRESH_MS;
    if (entry.users > 0 && isDue) void run(entry);
  }
}

addEventListener('focus', refreshShown);
document.addEventListener('visibilitychange', refreshShown);
addEventListener('offline', () => (isOnline.value = false));
addEventListener('online', () => {
  isOnline.value = true;
  refreshShown();
});
isSignedOut.subscribe((isOut) => {
  if (!isOut) for (const entry of entries.values()) if (entry.state.peek().error) void run(entry);
});
