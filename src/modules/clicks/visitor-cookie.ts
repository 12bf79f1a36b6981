import { stringifySetCookie } from 'cookie';
import type { RequestFacts } from '../../kernel/operation.ts';
import { randomBase62 } from '../../shared/secrets.ts';

const ID_LENGTH = 22;
const ID = /^[0-9A-Za-z]{22}$/;

/**
 * With the `__Host-` prefix a sibling host cannot plant a visitor of its own here. Over plain HTTP
 * browsers refuse the prefix.
 */
function nameOf(secure: boolean): string {
  return secure ? '__Host-tributary_ref' : 'tributary_ref';
}

/** The id a visitor came with, or a new one: random, and told to no one but this browser. */
export function visitorOf(request: RequestFacts): string {
  const known = request.cookie(nameOf(request.secure));
  return known !== undefined && ID.test(known) ? known : randomBase62(ID_LENGTH);
}

export function visitorCookie(visitor: string, days: number, secure: boolean): string {
  return stringifySetCookie({
    name: nameOf(secure),
    value: visitor,
    // Only referral links read it, but the prefix allows no narrower path.
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: days * 24 * 60 * 60,
  });
}
