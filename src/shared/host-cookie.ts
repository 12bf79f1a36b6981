import { stringifySetCookie } from 'cookie';

/**
 * The name of a cookie. The prefix `__Host-` binds it to this host and to HTTPS: other hosts of the same domain cannot
 * set it. Browsers refuse the prefix over plain HTTP, and with a path other than `/`.
 */
export function hostCookie(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** The header that sets a cookie of this service, which scripts cannot read. Without an age it ends with the browser. */
export function setHostCookie(
  name: string,
  value: string,
  { secure, maxAge }: { secure: boolean; maxAge?: number },
): string {
  return stringifySetCookie({
    name: hostCookie(name, secure),
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    ...(maxAge !== undefined && { maxAge }),
  });
}
