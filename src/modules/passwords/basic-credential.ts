import { CredentialCache } from '../../kernel/cache/credential-cache.ts';
import type { Caller, CredentialKind } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { toPerson } from '../users/index.ts';
import { hashApplicationPassword } from './application-password.ts';
import { findOwnerByHash } from './password-rows.ts';

const knownCallers = perSite((site) => new CredentialCache<Caller>(site));

/** HTTP Basic: login or email address, and an application password. */
export const basicCredential: CredentialKind = {
  method: 'application_password',
  needsHttps: true,
  countsFailures: true,
  refusal: generalErrors.unauthorized,

  find({ authorization }) {
    return authorization !== undefined && /^basic(?: |$)/i.test(authorization)
      ? authorization.slice(6).trim()
      : undefined;
  },

  verify(encoded, site) {
    return knownCallers(site).find(encoded, () => load(encoded, site));
  },
};

async function load(encoded: string, site: Site): Promise<Caller | undefined> {
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const name = text.slice(0, colon).toLowerCase();
  const passwordHash = hashApplicationPassword(site, text.slice(colon + 1));
  const owner = await findOwnerByHash(site.database.read, { password_hash: passwordHash });
  if (!owner || owner.disabled_at !== null) return undefined;
  if (owner.login_folded !== name && owner.email_folded !== name) return undefined;
  return {
    kind: 'person',
    person: toPerson(owner),
    suspended: owner.affiliate_status === 'suspended',
    method: 'application_password',
    keyId: null,
    scopes: null,
    identity: `user:${owner.id}`,
    csrfToken: null,
    session: null,
  };
}
