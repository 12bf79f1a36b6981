import { isIP } from 'node:net';
import { ApiError, defineError } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { hostOf, isLoopbackHost } from '../../../shared/public-address.ts';
import { TransportError } from '../../../shared/transport-error.ts';
import { webhookClient } from '../delivery/client.ts';
import { allowPrivate } from '../settings.ts';

const LENGTH_MAX = 2_048;
/** Time limit for resolving a name. Every connection checks the address again. */
const RESOLVE_MS_MAX = 3_000;

export const invalidUrl = defineError(
  'svc_api_invalid_url',
  400,
  'The url must use https and a public address, without username, password or fragment, at most 2,048 characters.',
);

/**
 * Refuses URLs that no delivery may be sent to. A name that does not resolve yet is accepted, because
 * every connection is checked again.
 */
export async function requireUsableUrl(site: Site, text: string): Promise<void> {
  const url = parse(text);
  const mayBePrivate = site.settings.get(allowPrivate);
  const host = hostOf(url);
  const plainAllowed = mayBePrivate && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !plainAllowed) {
    throw refused('It must start with https://.');
  }
  const check = webhookClient.of(site).check(url);
  // It may fail after the time limit, when its error is no longer needed.
  check.catch(() => {});
  try {
    await Promise.race([check, later(RESOLVE_MS_MAX)]);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.error === 'dns' && isIP(host) === 0) return;
    throw refused('Its address is not public.');
  }
}

function parse(text: string): URL {
  if (text.length > LENGTH_MAX) throw refused('It is longer than 2,048 characters.');
  // URL parsers silently drop or replace these characters.
  if (/[\s\\\p{Cc}]/u.test(text))
    throw refused('It contains characters that are not allowed in a URL.');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) throw refused('It must start with https://.');
  if (authority.includes('@')) throw refused('It must not contain a username.');
  if (text.includes('#')) throw refused('It must not have a fragment.');
  const url = URL.parse(text);
  if (!url || hostOf(url) === '') throw refused('It is not a valid URL.');
  return url;
}

function refused(reason: string): ApiError {
  return new ApiError(invalidUrl, { message: `The url cannot be used. ${reason}` });
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
