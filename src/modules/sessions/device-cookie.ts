import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostCookie, setHostCookie } from '../../shared/host-cookie.ts';
import { randomBase62, sameSecret } from '../../shared/secrets.ts';

const YEAR_S = 365 * 86_400;

const NAME = 'tributary_device';

/**
 * Marks a browser in which this user has signed in. It gives no access: wrong passwords from this browser are counted
 * on their own, so that those of attackers do not delay the user.
 */
export function deviceCookie(site: Site, userId: number, { secure }: { secure: boolean }): string {
  const id = randomBase62(22);
  const value = `${id}.${signatureOf(site, userId, id)}`;
  return setHostCookie(NAME, value, { secure, maxAge: YEAR_S });
}

/** The id of this browser, if this user has signed in with it. */
export function knownDeviceOf(
  site: Site,
  userId: number,
  request: Pick<RequestFacts, 'secure' | 'cookie'>,
): string | undefined {
  const [id, signature] = request.cookie(hostCookie(NAME, request.secure))?.split('.') ?? [];
  if (id === undefined || signature === undefined) return undefined;
  return sameSecret(signature, signatureOf(site, userId, id)) ? `device ${id}` : undefined;
}

function signatureOf(site: Site, userId: number, id: string): string {
  return site.keyring.hash('device', `${userId} ${id}`);
}
