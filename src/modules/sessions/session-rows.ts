import { sql, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, write } from '../../db/statements/calls.ts';
import { deleteInBatches, updateInBatches } from '../../db/statements/in-batches.ts';
import { removeOneFrom } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { UserRow } from '../users/index.ts';

export type SessionRow = RowOf<'sessions'>;

const insert = rowQuery<SessionRow>((db, row) => db.insertInto('sessions').values(row));

type SessionWithUser = UserRow & {
  affiliate_status: string | null;
  session_created_at: number;
  seen_at: number;
  proved_at: number;
};

const byHash = query<{ token_hash: string }, SessionWithUser>((db, p) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'sessions.user_id')
    .selectAll('users')
    .select('affiliates.status as affiliate_status')
    .select(['sessions.created_at as session_created_at', 'sessions.seen_at'])
    .select('sessions.proved_at')
    .where('token_hash', '=', p.token_hash),
);

const see = query<{ token_hash: string; seen_at: number }>((db, p) =>
  db.updateTable('sessions').set({ seen_at: p.seen_at }).where('token_hash', '=', p.token_hash),
);

const seeUser = query<{ token_hash: string; seen_at: number }>((db, p) =>
  db
    .updateTable('users')
    .set({ last_seen_at: p.seen_at })
    .where('id', '=', (eb) =>
      eb.selectFrom('sessions').select('user_id').where('token_hash', '=', p.token_hash),
    ),
);

export const saveProof = write<{ token_hash: string; proved_at: number }>((db, p) =>
  db
    .updateTable('sessions')
    .set({ proved_at: p.proved_at, seen_at: p.proved_at })
    .where('token_hash', '=', p.token_hash),
);

/** Returns whether the session existed. */
export const removeSession = removeOneFrom('sessions', 'token_hash');

const LISTED_MAX = 100;

/** The sessions of a user, those used last first. */
export const listSessionsOf = readAll<{ user_id: number }, SessionRow>((db, p) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .orderBy('seen_at', 'desc')
    .limit(sql.lit(LISTED_MAX)),
);

/** The sessions of a user but the latest `kept` ones. */
export const listFormerSessions = readAll<
  { user_id: number; kept: number },
  { token_hash: string }
>((db, p) =>
  db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', p.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(sql.lit(LISTED_MAX))
    .offset(p.kept),
);

interface SessionChoice {
  user_id: number;
  only?: string | undefined;
  except?: string | undefined;
}

const removeOfUser = query<SessionChoice>((db, p, given) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', p.user_id)
    .$if(given('only'), (q) => q.where('token_hash', '=', p.only))
    .$if(given('except'), (q) => q.where('token_hash', '<>', p.except)),
);

export const removeSessionsSeenBefore = deleteInBatches<{ seen_before: number }>(
  'sessions',
  'seen_at',
  (p) => sql<SqlBool>`seen_at < ${p.seen_before}`,
);

const correct = updateInBatches<{ now: number }>('sessions', 'token_hash', (p) => ({
  set: sql`seen_at = ${p.now}, created_at = case when created_at > ${p.now} then ${p.now} else created_at end,
    proved_at = case when proved_at > ${p.now} then 0 else proved_at end`,
  where: sql<SqlBool>`seen_at > ${p.now}`,
}));

export async function insertSession(tx: Transaction, session: SessionRow): Promise<void> {
  await tx.run(insert, session);
  await tx.run(seeUser, session);
}

export function findSession(db: Reader, tokenHash: string): Promise<SessionWithUser | undefined> {
  return db.first(byHash, { token_hash: tokenHash });
}

export async function saveSeen(tx: Transaction, tokenHash: string, atMs: number): Promise<void> {
  await tx.run(see, { token_hash: tokenHash, seen_at: atMs });
  await tx.run(seeUser, { token_hash: tokenHash, seen_at: atMs });
}

/** Returns how many sessions there were. */
export function removeSessionsOf(
  tx: Transaction,
  { userId, ...choice }: { userId: number; only?: string; except?: string | undefined },
): Promise<number> {
  return tx.run(removeOfUser, { user_id: userId, ...choice });
}

/**
 * A last use in the future is set to now, so that the session expires like any other. A proof in the
 * future counts for nothing. It is never later than the stored last use, which the index finds.
 */
export function correctSessions({ database }: Site, now: number): Promise<void> {
  return correct(database, { now });
}
