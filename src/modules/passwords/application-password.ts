import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { insertPassword, revokePasswordRow } from './password-rows.ts';

const LENGTH = 24;

/** `abcd EFGH 1234 …`: shown in groups of four; spaces do not count. */
export async function createApplicationPassword(
  site: Site,
  userId: number,
  description: string,
): Promise<{ id: number; password: string }> {
  const secret = randomBase62(LENGTH);
  const row = await site.database.transaction((tx) =>
    insertPassword(tx, {
      user_id: userId,
      description,
      password_hash: hashApplicationPassword(site, secret),
      created_at: site.clock(),
    }),
  );
  return { id: row.id, password: secret.match(/.{4}/g)!.join(' ') };
}

export async function revokeApplicationPassword(site: Site, id: number): Promise<void> {
  await site.database.transaction(async (tx) => {
    await revokePasswordRow(tx, { id, revoked_at: site.clock() });
    tx.afterCommitEverywhere(() => site.invalidateCaches());
  });
}

/** The password has enough entropy for a keyed hash, which is much faster than a slow one. */
export function hashApplicationPassword(site: Site, password: string): string {
  return site.keyring.hash('application password', password.replaceAll(/\s/g, ''));
}
