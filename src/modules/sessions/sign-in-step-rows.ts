import { sql, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { deleteInBatches, updateInBatches } from '../../db/statements/in-batches.ts';
import { removeFrom } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';

const VALID_MS = 5 * 60_000;
/** A wrong code is a typing error or a guess; after this many the password is asked again. */
const ATTEMPTS_MAX = 5;

const insert = rowQuery<RowOf<'sign_in_steps'>>((db, row) =>
  db.insertInto('sign_in_steps').values(row),
);

const attempt = query<{ token_hash: string; now: number }>((db, p) =>
  db
    .updateTable('sign_in_steps')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('token_hash', '=', p.token_hash)
    .where('expires_at', '>', p.now)
    .where('attempts', '<', sql.lit(ATTEMPTS_MAX)),
);

const byHash = query<{ token_hash: string }, RowOf<'sign_in_steps'>>((db, p) =>
  db.selectFrom('sign_in_steps').selectAll().where('token_hash', '=', p.token_hash),
);

const remove = query<{ token_hash: string }>((db, p) =>
  db.deleteFrom('sign_in_steps').where('token_hash', '=', p.token_hash),
);

/** Ends all sign-ins of a user that wait for their second step. */
export const removeStepsOf = removeFrom('sign_in_steps', 'user_id');

export const removeExpiredSteps = deleteInBatches<{ now: number }>(
  'sign_in_steps',
  'expires_at',
  (p) => sql<SqlBool>`expires_at <= ${p.now}`,
);

const shorten = updateInBatches<{ latest: number }>('sign_in_steps', 'token_hash', (p) => ({
  set: sql`expires_at = ${p.latest}`,
  where: sql<SqlBool>`expires_at > ${p.latest}`,
}));

/** Opens the second step of a sign-in, after the password was right. Returns its token. */
export async function openStep(tx: Transaction, site: Site, userId: number): Promise<string> {
  const token = randomBase62(32);
  await tx.run(insert, {
    token_hash: hashOf(site, token),
    user_id: userId,
    attempts: 0,
    expires_at: site.clock() + VALID_MS,
  });
  return token;
}

/** Counts an attempt before it is made. Returns the user; undefined if the step is over. */
export async function attemptStep(site: Site, token: string): Promise<number | undefined> {
  const token_hash = hashOf(site, token);
  return site.database.transaction(async (tx) => {
    const counted = await tx.run(attempt, { token_hash, now: site.clock() });
    return counted === 1 ? userOf(tx, token_hash) : undefined;
  });
}

/** Uses the step up. Returns false if another request did, or the sign-in was ended. */
export async function takeStep(tx: Transaction, site: Site, token: string): Promise<boolean> {
  return (await tx.run(remove, { token_hash: hashOf(site, token) })) === 1;
}

/** No step is open for longer than five minutes from now. */
export function correctSteps({ database }: Site, nowMs: number): Promise<void> {
  return shorten(database, { latest: nowMs + VALID_MS });
}

async function userOf(db: Reader, tokenHash: string): Promise<number | undefined> {
  return (await db.first(byHash, { token_hash: tokenHash }))?.user_id;
}

function hashOf({ keyring }: Site, token: string): string {
  return keyring.hash('sign-in step', token);
}
