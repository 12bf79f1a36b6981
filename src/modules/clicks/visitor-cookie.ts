import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostCookie, setHostCookie } from '../../shared/host-cookie.ts';
import { randomBase62 } from '../../shared/secrets.ts';

const LENGTH = 22;
const COOKIE_VALUE = /^[0-9A-Za-z]{22}$/;

const NAME = 'tributary_ref';

/** The visitor cookie of the request, if it is well-formed. */
export function cookieIn(request: RequestFacts): string | undefined {
  const known = request.cookie(hostCookie(NAME, request.secure));
  return known !== undefined && COOKIE_VALUE.test(known) ? known : undefined;
}

export function newCookie(): string {
  return randomBase62(LENGTH);
}

/**
 * The visitor id that the store reads from the landing page URL and sends with an order. It is a hash
 * of the cookie, because URLs are shared and logged, and anyone who knows the cookie can add clicks to
 * this visitor.
 */
export function visitorOf(site: Site, cookie: string): string {
  return site.keyring.hash('visitor id', cookie).slice(0, LENGTH);
}

export function visitorCookie(cookie: string, days: number, secure: boolean): string {
  return setHostCookie(NAME, cookie, { secure, maxAge: days * 24 * 60 * 60 });
}
