/** One slash, then neither another nor a backslash, which browsers take for one; nothing invisible. */
const OWN_PATH = /^\/(?![/\\])[^\\\s\p{C}]*$/u;

/**
 * Where in the store a referral link leads: a path of its own, or its front page. Whatever could
 * lead to another host is not followed.
 */
export function landingAt(store: URL, path: unknown): URL {
  const front = new URL(store);
  if (typeof path !== 'string' || !OWN_PATH.test(path)) return front;
  const landing = URL.parse(path, store);
  return landing?.host === store.host && landing.protocol === store.protocol ? landing : front;
}
