import type { Database, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { readUnbound } from '../../kernel/call/read-unbound.ts';
import { isBound, type SecretLocation } from '../../shared/secrets.ts';

interface StoredSecret {
  id: number;
  secret: string;
}

const all = query<object, StoredSecret>((db) =>
  db.selectFrom('webhooks').select(['id', 'secret']).where('secret', '!=', ''),
);

const save = query<StoredSecret>((db, p) =>
  db.updateTable('webhooks').set({ secret: p.secret }).where('id', '=', p.id),
);

export function encryptSecret(
  { keyring }: Pick<Site, 'keyring'>,
  webhookId: number,
  secret: string,
) {
  return keyring.encrypt(placeOf(webhookId), secret);
}

export function decryptSecret({ keyring }: Site, { id, secret }: StoredSecret): string {
  return keyring.decrypt(placeOf(id), secret);
}

function placeOf(webhookId: number): SecretLocation {
  return { table: 'webhooks', column: 'secret', row: webhookId };
}

export async function saveSecret(tx: Transaction, id: number, encrypted: string): Promise<void> {
  await tx.run(save, { id, secret: encrypted });
}

/** Binds secrets that an earlier version stored to their webhooks. */
export async function bindWebhookSecrets(
  database: Database,
  site: Pick<Site, 'keyring'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.lock('webhooks');
    for (const { id, secret } of await tx.all(all, {})) {
      const plain = isBound(secret)
        ? undefined
        : readUnbound(site.keyring, 'webhook secret', secret);
      if (plain !== undefined) await tx.run(save, { id, secret: encryptSecret(site, id, plain) });
    }
  });
}
