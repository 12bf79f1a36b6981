import { isIP } from 'node:net';
import { defineError, ApiError } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { siteName } from '../../store-profile/index.ts';

export const passkeysUnavailable = defineError(
  'svc_api_passkeys_unavailable',
  409,
  'Passkeys need a public address with a host name and HTTPS: see TRIBUTARY_PUBLIC_URL.',
);

/** EdDSA, ES256 and RS256 (COSE). The library would add one that Node calls experimental, with a warning. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** The site as browsers know it: passkeys are bound to its host name. */
export interface RelyingParty {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
}

/** Browsers offer no passkeys at an IP address, and over plain HTTP only on localhost. */
export function offersPasskeys(site: Site): boolean {
  const { hostname, protocol } = new URL(site.publicUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && !isIP(hostname.replaceAll(/[[\]]/g, ''));
}

export function relyingPartyOf(site: Site): RelyingParty {
  if (!offersPasskeys(site)) throw new ApiError(passkeysUnavailable);
  const { hostname, origin } = new URL(site.publicUrl);
  return { id: hostname, name: site.settings.get(siteName), origin };
}
