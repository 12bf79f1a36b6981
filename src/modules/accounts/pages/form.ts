import Type from 'typebox';
import type { Role } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { HttpResponse } from '../../../kernel/declare/http-response.ts';
import type { RequestFacts } from '../../../kernel/declare/operation.ts';
import type { Site } from '../../../kernel/declare/site.ts';

/** Accepts any text, so that a browser gets the form with error messages back, not a JSON error. */
export const field = Type.String({ default: '', maxLength: 5000 });

/** Headers of pages with a secret in their address or in their form. */
export const secretHeaders = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** A form of this site is never sent by a page of another one. */
export function refuseOtherPages(request: RequestFacts): void {
  if (request.fromOtherOrigin) throw new ApiError(generalErrors.forbidden);
}

const PORTAL = '/app';
const CONSOLE = '/console';

/**
 * Where to go after the sign-in: a path of this site only, so that no link leads away from it. What is returned is
 * parsed once more, as the browser will: the path of `/.//other.example` is `//other.example`, which is another host.
 */
export function ownPath({ publicUrl }: Site, next: string): string {
  const target = next.startsWith('/') ? URL.parse(next, publicUrl) : null;
  if (target === null) return PORTAL;
  const path = target.pathname + target.search;
  const isOwn = [target, URL.parse(path, publicUrl)].every(
    (url) => url?.origin === new URL(publicUrl).origin,
  );
  return isOwn ? path : PORTAL;
}

/** The team of the store begins in the console, affiliates and customers in the portal. */
export function firstPageOf(role: Role): string {
  return role === 'administrator' || role === 'manager' ? CONSOLE : PORTAL;
}

/** Where a person who has just signed in goes: to the wanted page, or to where they begin. */
export function landingOf(site: Site, role: Role, next: string): string {
  const wanted = ownPath(site, next);
  return wanted === PORTAL ? firstPageOf(role) : wanted;
}

export function goTo(path: string, cookies: string[] = []): HttpResponse<string> {
  return new HttpResponse('', {
    status: 303,
    headers: {
      Location: path,
      'Cache-Control': 'no-store',
      ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    },
  });
}
