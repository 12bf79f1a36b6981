import { isIP } from 'node:net';
import type { SiteClient } from '../../kernel/call/site-client.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostOf, isLoopbackHost } from '../../shared/public-address.ts';
import { TransportError } from '../../shared/transport-error.ts';

const LENGTH_MAX = 2_048;
/** Time limit for resolving a name. Every connection checks the address again. */
const RESOLVE_MS_MAX = 3_000;

/**
 * Why no delivery may be sent to a URL; undefined if one may. A name that does not resolve yet is accepted, because
 * every connection is checked again. `isNameTold`: the caller may learn what a name resolves to here. For others, no name
 * is looked up: the answer would tell which names exist inside.
 */
export async function reasonAgainstUrl(
  site: Site,
  client: SiteClient,
  text: string,
  { isNameTold }: { isNameTold: boolean },
): Promise<string | undefined> {
  const url = parse(text);
  if (typeof url === 'string') return url;
  const guarded = client.of(site);
  const host = hostOf(url);
  const plainAllowed = guarded.guard.allowPrivate && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !plainAllowed) return 'It must start with https://.';
  if (!isNameTold && isIP(host) === 0 && !isLoopbackHost(host)) return undefined;
  const check = guarded.check(url);
  // It may fail after the time limit, when its error is no longer needed.
  check.catch(() => {});
  try {
    await Promise.race([check, later(RESOLVE_MS_MAX)]);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.error === 'dns' && isIP(host) === 0) return undefined;
    return 'Its address is not public.';
  }
  return undefined;
}

/** The URL, or why it cannot be one. */
function parse(text: string): URL | string {
  if (text.length > LENGTH_MAX) return 'It is longer than 2,048 characters.';
  // URL parsers silently drop or replace these characters.
  if (/[\s\\\p{Cc}]/u.test(text)) return 'It contains characters that are not allowed in a URL.';
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return 'It must start with https://.';
  if (authority.includes('@')) return 'It must not contain a username.';
  if (text.includes('#')) return 'It must not have a fragment.';
  const url = URL.parse(text);
  if (!url || hostOf(url) === '') return 'It is not a valid URL.';
  return url;
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
