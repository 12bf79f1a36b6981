import { sql, type SqlBool } from 'kysely';
import type { Database } from '../../db/database.ts';
import { insertRow } from '../../db/statements/calls.ts';
import { deleteInBatches, updateInBatches } from '../../db/statements/in-batches.ts';
import { findIn, removeFrom } from '../../db/statements/plain-calls.ts';
import type { RowOf } from '../../db/tables.ts';

export type AttemptsRow = RowOf<'sign_in_attempts'>;

export const findAttempts = findIn('sign_in_attempts', 'key');

export const saveAttempts = insertRow<AttemptsRow>((db, { key, ...attempts }) =>
  db
    .insertInto('sign_in_attempts')
    .values({ key, ...attempts })
    .onConflict((c) => c.column('key').doUpdateSet(attempts)),
);

export const removeAttempts = removeFrom('sign_in_attempts', 'key');

interface Ages {
  failed_before: number;
  known_before: number;
}

const removeOld = deleteInBatches<{ known: number; before: number }>(
  'sign_in_attempts',
  'seen_at',
  (p) => sql<SqlBool>`known = ${p.known} and seen_at < ${p.before}`,
);

/** Attempts in the future, left by a clock that was ahead, would never be forgotten. */
export const correctAttempts = updateInBatches<{ now: number }>('sign_in_attempts', 'key', (p) => ({
  set: sql`seen_at = ${p.now}, free_at = ${p.now}`,
  where: sql<SqlBool>`known in (0, 1) and seen_at > ${p.now}`,
}));

export async function removeOldAttempts(database: Database, ages: Ages): Promise<void> {
  await removeOld(database, { known: 0, before: ages.failed_before });
  await removeOld(database, { known: 1, before: ages.known_before });
}
