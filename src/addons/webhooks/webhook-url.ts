import { isIP } from 'node:net';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostOf, isLoopbackHost } from '../../shared/public-address.ts';
import { TransportError } from '../../shared/transport-error.ts';
import { clientOf } from './delivery/client.ts';
import { allowPrivate } from './settings.ts';

const LENGTH_MAX = 2_048;
/** How long the check of a name may take; whether it is public is decided when it is connected to. */
const RESOLVE_MS_MAX = 3_000;

export const invalidUrl = defineError(
  'svc_api_invalid_url',
  400,
  'The url must be https, without user name, password or fragment, of at most 2,048 characters, and lead to a public address.',
);

/**
 * Refuses what no delivery may go to. A name that is not known, or not yet, is accepted: every
 * connection is checked again.
 */
export async function requireUsableUrl(site: Site, text: string): Promise<void> {
  const url = parse(text);
  const mayBePrivate = site.settings.get(allowPrivate);
  const host = hostOf(url);
  const plainAllowed = mayBePrivate && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !plainAllowed) {
    throw refused('It must begin with https://.');
  }
  const check = clientOf(site).check(url);
  // Its outcome may come too late for anybody to wait for it.
  check.catch(() => {});
  try {
    await Promise.race([check, later(RESOLVE_MS_MAX)]);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.fault === 'dns' && isIP(host) === 0) return;
    throw refused('It leads to an address that is not public.');
  }
}

function parse(text: string): URL {
  if (text.length > LENGTH_MAX) throw refused('It is longer than 2,048 characters.');
  // What parsers drop or turn into something else without a word.
  if (/[\s\\\p{Cc}]/u.test(text)) throw refused('It holds characters that no URL has.');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) throw refused('It must begin with https://.');
  if (authority.includes('@')) throw refused('It must not hold a user name.');
  if (text.includes('#')) throw refused('It must not have a fragment.');
  const url = URL.parse(text);
  if (!url || hostOf(url) === '') throw refused('It is no URL.');
  return url;
}

function refused(reason: string): ApiError {
  return new ApiError(invalidUrl, { message: `The url cannot be used. ${reason}` });
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
