import { sql, type SqlBool } from 'kysely';
import type { Transaction } from '../../../db/database.ts';
import { deleteInBatches, updateInBatches } from '../../../db/statements/in-batches.ts';
import { query } from '../../../db/statements/query.ts';
import { rowQuery } from '../../../db/statements/row-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { Site } from '../../../kernel/declare/site.ts';

/** Longer than browsers wait for the user by default. */
const VALID_MS = 5 * 60_000;

/** The user of a challenge for a sign-in, which is not known yet. */
export const NO_USER = 0;

const insert = rowQuery<RowOf<'passkey_challenges'>>((db, row) =>
  db.insertInto('passkey_challenges').values(row),
);

const take = query<{ challenge_hash: string; user_id: number; now: number }>((db, p) =>
  db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', p.challenge_hash)
    .where('user_id', '=', p.user_id)
    .where('expires_at', '>', p.now),
);

export const removeExpiredChallenges = deleteInBatches<{ now: number }>(
  'passkey_challenges',
  'expires_at',
  (p) => sql<SqlBool>`expires_at <= ${p.now}`,
);

const shorten = updateInBatches<{ latest: number }>(
  'passkey_challenges',
  'challenge_hash',
  (p) => ({
    set: sql`expires_at = ${p.latest}`,
    where: sql<SqlBool>`expires_at > ${p.latest}`,
  }),
);

export async function saveChallenge(
  tx: Transaction,
  site: Site,
  challenge: string,
  userId: number,
  nowMs: number,
): Promise<void> {
  await tx.run(insert, {
    challenge_hash: hashOf(site, challenge),
    user_id: userId,
    expires_at: nowMs + VALID_MS,
  });
}

/** Uses a challenge up. Returns false if it is unknown, expired, used, or of another user. */
export async function takeChallenge(
  tx: Transaction,
  site: Site,
  challenge: string,
  userId: number,
  nowMs: number,
): Promise<boolean> {
  const hash = hashOf(site, challenge);
  return (await tx.run(take, { challenge_hash: hash, user_id: userId, now: nowMs })) === 1;
}

/** No challenge is valid for longer than five minutes from now. */
export function correctChallenges({ database }: Site, nowMs: number): Promise<void> {
  return shorten(database, { latest: nowMs + VALID_MS });
}

function hashOf({ keyring }: Site, challenge: string): string {
  return keyring.hash('passkey challenge', challenge);
}
