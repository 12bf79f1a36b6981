import { batch, computed, signal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ConnectionError, TimeoutError, TributaryError } from '../sdk/src/index.ts';
import { isSignedOut } from './api.ts';

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

interface Entry {
  readonly state: Signal<{ data: unknown; error: unknown; loading: boolean }>;
  load: () => Promise<unknown>;
  /** How many components show it. */
  users: number;
  loadedMs: number;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  running: Promise<void> | undefined;
}

const entries = new Map<string, Entry>();

/** Data of this age is not loaded again because a screen is opened. */
const FRESH_MS = 5_000;
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 30_000;

const failing = signal(0);
const isOnline = signal(navigator.onLine);

/** `offline` as the browser says, `failing` while the service does not answer. */
export const connection = computed<'good' | 'offline' | 'failing'>(() => {
  if (!isOnline.value) return 'offline';
  return failing.value > 0 ? 'failing' : 'good';
});

/**
 * The data of this key. What is in memory is shown at once and loaded again in the background. Without a key
 * nothing is loaded. Passing failures (no connection, 5xx) are repeated until they pass.
 */
export function useData<T>(key: string | undefined, load: () => Promise<T>): Loaded<T> {
  const entry = useMemo(() => (key === undefined ? undefined : entryOf(key, load)), [key]);
  if (entry) entry.load = load;
  const last = useRef<T | undefined>(undefined);
  useEffect(() => {
    if (!entry) return;
    entry.users += 1;
    if (Date.now() - entry.loadedMs > FRESH_MS) void run(entry);
    return () => {
      entry.users -= 1;
      if (entry.users === 0) settle(entry);
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

function entryOf(key: string, load: () => Promise<unknown>): Entry {
  let entry = entries.get(key);
  if (!entry) {
    entry = {
      state: signal({ data: undefined, error: undefined, loading: false }),
      load,
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
      if (isPassing(error) && entry.users > 0) tryLater(entry);
      else settle(entry);
    });
  }
}

function tryLater(entry: Entry): void {
  if (entry.failures === 0) failing.value += 1;
  entry.failures += 1;
  const waitMs = Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** entry.failures);
  entry.timer = setTimeout(() => void run(entry), waitMs * (0.5 + Math.random() / 2));
}

/** Its failures are over, or no component shows it any more. */
function settle(entry: Entry): void {
  clearTimeout(entry.timer);
  if (entry.failures > 0) failing.value -= 1;
  entry.failures = 0;
}

/** Whether the same call may succeed later without a change. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TributaryError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** After a change: what is shown under keys with these beginnings is loaded again, the rest when it is opened. */
export async function refresh(...beginnings: string[]): Promise<void> {
  const changed = [...entries].filter(([key]) => beginnings.some((text) => key.startsWith(text)));
  for (const [, entry] of changed) entry.loadedMs = -Infinity;
  // A call that began before the change may not know of it yet.
  await Promise.all(changed.map(async ([, entry]) => entry.running));
  await Promise.all(changed.filter(([, { users }]) => users > 0).map(([, entry]) => run(entry)));
}

/** Refreshes what changes in the background, until `everyMs` is undefined. */
export function useRefreshing(everyMs: number | undefined, beginning: string): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => void refresh(beginning), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, beginning]);
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
