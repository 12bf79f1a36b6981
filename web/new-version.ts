import { ConnectionError } from '../sdk/src/index.ts';
import { pause } from './waiting.ts';

const KEY = 'reloaded by';

/**
 * After an update of the service, an open page asks for files that may be gone. Reloading names the current
 * ones. It is done once per version of the page, so that a file that is missing for another reason causes no
 * loop. False if the page stays.
 */
function reloadOnce(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
  if (!navigator.onLine || sessionStorage.getItem(KEY) === version) return false;
  sessionStorage.setItem(KEY, version);
  location.reload();
  return true;
}

/** Loads a part of the program that is not in the first script. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    // The browser says of a file that it did not get nothing but that it failed.
    if (!reloadOnce())
      throw new ConnectionError('A part of the page was not loaded.', { cause: error });
    // The page is on its way out.
    return new Promise<T>(() => {});
  }
}

const PROBE_MS = 5_000;

/**
 * Reloads the page once the service answers again, because browsers do not ask again for a part that they did not get. If
 * the service answers already, the part is missing for another reason, and the page stays. Returns how to stop.
 */
export function reloadWhenReachable(): () => void {
  const stopped = new AbortController();
  void watch(stopped.signal);
  return () => stopped.abort();
}

async function watch(stopped: AbortSignal): Promise<void> {
  let wasAway = false;
  while (!(await answers())) {
    wasAway = true;
    await pause(PROBE_MS, stopped);
    if (stopped.aborted) return;
  }
  if (wasAway) location.reload();
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    // There is no connection, which is what was asked.
    return false;
  }
}
