import { sql } from 'kysely';
import { query } from '../../../db/statements/query.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { destinationHash } from './destination-hash.ts';
import { readSavedDetails } from './details-store.ts';

const ROWS_AT_ONCE = 500;

const withoutHash = query<object, { user_id: number; details: string }>((db) =>
  db
    .selectFrom('payout_details')
    .select(['user_id', 'details'])
    .where('destination_hash', 'is', null)
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const setHash = query<{ user_id: number; hash: string; details: string }>((db, p) =>
  db
    .updateTable('payout_details')
    .set({ destination_hash: p.hash })
    .where('user_id', '=', p.user_id)
    .where('details', '=', p.details),
);

/** Adds the hash to details that an earlier version stored. */
export async function fillDestinationHashes(site: Site): Promise<void> {
  try {
    while (await fillSome(site));
  } catch (error) {
    if (!site.database.dialect.isMissingTable(error)) throw error;
  }
}

async function fillSome(site: Site): Promise<boolean> {
  const rows = await site.database.read.all(withoutHash, {});
  if (rows.length === 0) return false;
  await site.database.transaction(async (tx) => {
    for (const row of rows) await tx.run(setHash, { ...row, hash: hashOf(site, row) });
  });
  return rows.length === ROWS_AT_ONCE;
}

/** Details that were encrypted with another secret cannot be compared. */
function hashOf(site: Site, row: { user_id: number; details: string }): string {
  try {
    return destinationHash(site, readSavedDetails(site, row));
  } catch {
    return '';
  }
}
