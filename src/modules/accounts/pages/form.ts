import Type from 'typebox';
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

const FIRST_PAGE = '/app';

/** Where to go after the sign-in: a path of this site only, so that no link leads away from it. */
export function ownPath(site: Site, next: string): string {
  const target = next.startsWith('/') ? URL.parse(next, site.publicUrl) : null;
  if (target === null || target.origin !== new URL(site.publicUrl).origin) return FIRST_PAGE;
  return target.pathname + target.search;
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
