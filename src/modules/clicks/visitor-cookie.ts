import { stringifySetCookie } from 'cookie';
import type { RequestFacts } from '../../kernel/operation.ts';
import { randomBase62 } from '../../shared/secrets.ts';

const NAME = 'tributary_ref';
const ID_LENGTH = 22;
const ID = /^[0-9A-Za-z]{22}$/;

/** The id a visitor came with, or a new one: random, and told to no one but this browser. */
export function visitorOf(request: RequestFacts): string {
  const known = request.cookie(NAME);
  return known !== undefined && ID.test(known) ? known : randomBase62(ID_LENGTH);
}

export function visitorCookie(visitor: string, days: number, secure: boolean): string {
  return stringifySetCookie({
    name: NAME,
    value: visitor,
    // Nothing but referral links needs to see it.
    path: '/r',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: days * 24 * 60 * 60,
  });
}
