import { sql, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';

const VALID_MS = 30 * 60_000;

const insert = rowQuery<RowOf<'setup_links'>>((db, row) =>
  db.insertInto('setup_links').values(row),
);
const clear = query<object>((db) => db.deleteFrom('setup_links'));
const find = query<{ token_hash: string; now: number }, { token_hash: string }>((db, p) =>
  db
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', p.token_hash)
    .where('expires_at', '>', p.now),
);

const shorten = updateInBatches<{ now: number }>('setup_links', 'token_hash', (p) => {
  const latest = sql`${instant(p.now)} + ${sql.lit(VALID_MS)}`;
  return { set: sql`expires_at = ${latest}`, where: sql<SqlBool>`expires_at > ${latest}` };
});

/** No link is valid for longer than half an hour from now. */
export function correctSetupLinks({ database }: Site, now: number): Promise<void> {
  return shorten(database, { now });
}

/** Creates a link for the setup, valid once and for half an hour. A new link invalidates the old one. */
export async function createSetupLink(site: Site): Promise<string> {
  const token = randomBase62(32);
  await site.database.transaction(async (tx) => {
    await tx.run(clear, {});
    await tx.run(insert, { token_hash: hash(site, token), expires_at: site.clock() + VALID_MS });
  });
  return `${site.publicUrl}/setup?token=${token}`;
}

export async function isValidSetupToken(db: Reader, site: Site, token: string): Promise<boolean> {
  const row = await db.first(find, { token_hash: hash(site, token), now: site.clock() });
  return row !== undefined;
}

export async function endSetup(tx: Transaction): Promise<void> {
  await tx.run(clear, {});
}

function hash(site: Site, token: string): string {
  return site.keyring.hash('setup link', token);
}
