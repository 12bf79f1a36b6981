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

/** Where to go after the sign-in: a path of this site only, so that no link leads away from it. */
export function ownPath(site: Site, next: string): string {
  const target = next.startsWith('/') ? URL.parse(next, site.publicUrl) : null;
  if (target === null || target.origin !== new URL(site.publicUrl).origin) return PORTAL;
  return target.pathname + target.search;
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
