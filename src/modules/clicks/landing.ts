/** No `//` or `/\` at the start, which browsers treat as another host; no invisible characters. */
const OWN_PATH = /^\/(?![/\\])[^\\\s\p{C}]*$/u;

/**
 * The landing page of a referral link: a path of the store, or its front page. A path that could
 * lead to another host is ignored.
 */
export function landingAt(store: URL, path: unknown): URL {
  const front = new URL(store);
  if (typeof path !== 'string' || !OWN_PATH.test(path)) return front;
  const landing = URL.parse(path, store);
  return landing?.host === store.host && landing.protocol === store.protocol ? landing : front;
}
