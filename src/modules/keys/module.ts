import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { mails } from '../mail/index.ts';
import { cannotCreateForUser, createKey } from './create-key.ts';
import { createOwnKey, tooManyKeys } from './create-own-key.ts';
import { invalidKey, keyCredential } from './key-credential.ts';
import { keyCreated, keyRevoked } from './key-events.ts';
import { correctLastUses } from './key-rows.ts';
import { writeLastUsed } from './last-used.ts';
import { listKeysWithOwners } from './list-keys-with-owners.ts';
import { listKeys } from './list-keys.ts';
import { listOwnKeys } from './list-own-keys.ts';
import { ownKeyMail } from './own-key-mail.ts';
import { cannotManageKey, revokeKey } from './revoke-key.ts';
import { revokeOwnKey } from './revoke-own-key.ts';
import { tables } from './tables.ts';

export const keysModule = defineModule({
  name: 'keys',
  summary: 'API keys with scopes and expiry',
  addon: false,
  operations: [
    listKeys,
    listKeysWithOwners,
    createKey,
    revokeKey,
    listOwnKeys,
    createOwnKey,
    revokeOwnKey,
  ],
  events: [keyCreated, keyRevoked],
  errors: [invalidKey, cannotCreateForUser, cannotManageKey, tooManyKeys],
  jobs: [writeLastUsed],
  migrations: [creating('keys/0001-baseline', tables)],
  correctInstants: correctLastUses,
  credentials: [keyCredential],
  contributions: [contribute(mails, ownKeyMail)],
});
