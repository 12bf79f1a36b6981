import { CredentialCache } from '../../kernel/cache/credential-cache.ts';
import type { Caller, CredentialKind, Scope } from '../../kernel/declare/caller.ts';
import { defineError } from '../../kernel/declare/errors.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { toPerson } from '../users/index.ts';
import { findKeyByHash, type KeyWithOwner } from './key-rows.ts';
import { lastUsedOf } from './last-used.ts';
import { isWellFormed } from './token.ts';

export const invalidKey = defineError(
  'svc_api_invalid_key',
  401,
  'The API key is invalid, revoked or expired.',
);

interface KnownKey {
  caller: Caller;
  expiresAtMs: number;
  lastUsedAtMs: number | null;
}

const knownKeys = perSite((site) => new CredentialCache<KnownKey>(site));

/** `Authorization: Bearer`, or `X-Svc-API-Key`. */
export const keyCredential: CredentialKind = {
  method: 'api_key',
  needsHttps: true,
  countsFailures: true,
  refusal: invalidKey,

  find(headers) {
    const { authorization } = headers;
    if (authorization !== undefined) {
      if (authorization.startsWith('Bearer ')) return authorization.slice(7).trimStart();
      if (/^bearer(?: |$)/i.test(authorization)) return authorization.slice(7).trim();
    }
    const header = headers['x-svc-api-key'];
    return typeof header === 'string' ? header.trim() : undefined;
  },

  verify(token, site, nowMs) {
    const known = knownKeys(site).find(token, () => load(token, site));
    return known instanceof Promise
      ? known.then((key) => admit(key, site, nowMs))
      : admit(known, site, nowMs);
  },
};

async function load(token: string, site: Site): Promise<KnownKey | undefined> {
  if (!isWellFormed(token)) return undefined;
  const row = await findKeyByHash(site.database.read, { token_hash: hashToken(site, token) });
  if (!row || row.revoked_at !== null || row.disabled_at !== null) return undefined;
  return {
    caller: toCaller(row),
    expiresAtMs: row.expires_at ?? Number.POSITIVE_INFINITY,
    lastUsedAtMs: row.last_used_at,
  };
}

function admit(key: KnownKey | undefined, site: Site, nowMs: number): Caller | undefined {
  if (!key || key.expiresAtMs < nowMs) return undefined;
  lastUsedOf(site).note(key.caller.keyId!, key.lastUsedAtMs, nowMs);
  return key.caller;
}

export function hashToken(site: Site, token: string): string {
  return site.keyring.hash('api key', token);
}

function toCaller(row: KeyWithOwner): Caller {
  const person = toPerson({ ...row, id: row.user_id });
  return {
    kind: 'person',
    person,
    suspended: row.affiliate_status === 'suspended',
    method: 'api_key',
    keyId: row.id,
    // `makeKey` stores scopes only.
    scopes: new Set(JSON.parse(row.scopes) as Scope[]),
    identity: `key:${row.id}`,
    csrfToken: null,
    session: null,
  };
}
