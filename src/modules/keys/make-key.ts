import type { Transaction } from '../../db/database.ts';
import { scopes, type Scope } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { hashToken } from './key-credential.ts';
import { keyCreated } from './key-events.ts';
import { insertKey } from './key-rows.ts';
import { toKey } from './key-wire.ts';
import { makeToken, prefixOf } from './token.ts';

interface NewKey {
  owner: { id: number };
  description: string;
  scopes: readonly Scope[];
  /** The last day on which it is valid. */
  expires?: string | undefined;
  /** The user who creates it. */
  userId: number;
}

/** Creates a key. The result is the only one that contains the token. */
export async function makeKey(tx: Transaction, site: Site, newKey: NewKey, nowMs: number) {
  const token = makeToken();
  const row = await insertKey(tx, {
    user_id: newKey.owner.id,
    description: newKey.description,
    key_prefix: prefixOf(token),
    token_hash: hashToken(site, token),
    scopes: JSON.stringify(scopes.filter((scope) => newKey.scopes.includes(scope))),
    created_at: nowMs,
    expires_at: newKey.expires === undefined ? null : site.calendar.endOfDay(newKey.expires),
  });
  const key = toKey(row, site, nowMs);
  emit(tx, keyCreated, {
    objectId: key.id,
    userId: newKey.userId,
    info: `API key ${key.key_prefix} created for user ${key.user_id}.`,
    data: {
      key_id: key.id,
      user_id: key.user_id,
      scopes: key.scopes,
      date_expires: key.date_expires,
    },
    nowMs,
  });
  return { ...key, token, notice: 'Keep this key now: it is not shown again.' };
}
