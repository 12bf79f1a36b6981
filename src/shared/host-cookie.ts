/**
 * The name of a cookie. The prefix `__Host-` binds it to this host and to HTTPS: other hosts of the same domain cannot
 * set it. Browsers refuse the prefix over plain HTTP, and with a path other than `/`.
 */
export function hostCookie(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}
