import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { insertOne, readFirst } from '../../db/statements/calls.ts';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { isOfAdministrator, type KeyVisibility } from '../events/index.ts';

export type KeyRow = RowOf<'api_keys'>;
export type KeyStatus = 'active' | 'revoked' | 'expired';
export type KeyWithOwner = KeyRow &
  Pick<RowOf<'users'>, 'login' | 'email' | 'display_name' | 'role' | 'disabled_at'> & {
    affiliate_status: string | null;
  };

type NewKey = Omit<KeyRow, 'id' | 'revoked_at' | 'last_used_at'>;

export const insertKey = insertOne<NewKey, KeyRow>((db, row) =>
  db.insertInto('api_keys').values(row).returningAll(),
);

export const findKey = findIn('api_keys', 'id');

export const findKeyByHash = readFirst<{ token_hash: string }, KeyWithOwner>((db, p) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['users.login', 'users.email', 'users.display_name', 'users.role'])
    .select('users.disabled_at')
    .select('affiliates.status as affiliate_status')
    .where('token_hash', '=', p.token_hash),
);

const revoke = query<{ id: number; revoked_at: number }>((db, p) =>
  db
    .updateTable('api_keys')
    .set({ revoked_at: p.revoked_at })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null),
);

/** Moves the time forward only: two instances may report the same key at about the same time. */
const use = query<{ id: number; last_used_at: number }>((db, p) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: p.last_used_at })
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.last_used_at)]),
    ),
);

const correct = updateInBatches<{ now: number }>('api_keys', 'id', (p) => ({
  set: sql`last_used_at = ${p.now}`,
  where: sql<SqlBool>`last_used_at > ${p.now}`,
}));

export interface KeyFilter extends KeyVisibility {
  user_id?: number | undefined;
  active_at?: number | undefined;
  expired_at?: number | undefined;
  revoked?: 1 | undefined;
}

type Given = (name: keyof KeyFilter) => boolean;

function filtered(db: Kysely<Tables>, p: KeyFilter, given: Given) {
  return db
    .selectFrom('api_keys')
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id!))
    .$if(given('not_of_administrators'), (q) => q.where((eb) => eb.not(isOfAdministrator)))
    .$if(given('revoked'), (q) => q.where('revoked_at', 'is not', null))
    .$if(given('expired_at'), (q) =>
      q.where('revoked_at', 'is', null).where('expires_at', '<', p.expired_at!),
    )
    .$if(given('active_at'), (q) =>
      q
        .where('revoked_at', 'is', null)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>=', p.active_at!)])),
    );
}

export const keyList = pagedList(filtered, (q) => q.selectAll().orderBy('id', 'desc'));

type Owner = Pick<RowOf<'users'>, 'id' | 'login' | 'display_name' | 'role'>;

const owners = byNumber<Owner>((db, isKey) =>
  db.selectFrom('users').select(['id', 'login', 'display_name', 'role']).where(isKey('users.id')),
);

/** The users of these ids, by id. */
export async function listOwners(
  db: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Owner>> {
  const rows = await db.allByKeys(owners, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The filter for the keys of a status; `expired` depends on the current time. */
export function statusFilter(status: KeyStatus | undefined, nowMs: number): KeyFilter {
  if (status === 'revoked') return { revoked: 1 };
  if (status === 'expired') return { expired_at: nowMs };
  if (status === 'active') return { active_at: nowMs };
  return {};
}

export function statusOf(key: KeyRow, nowMs: number): KeyStatus {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at < nowMs ? 'expired' : 'active';
}

/** Whether it was this call that revoked the key. */
export async function revokeKeyRow(tx: Transaction, id: number, nowMs: number): Promise<boolean> {
  return (await tx.run(revoke, { id, revoked_at: nowMs })) === 1;
}

export async function saveLastUsed(tx: Transaction, id: number, atMs: number): Promise<void> {
  await tx.run(use, { id, last_used_at: atMs });
}

/** Corrects last uses in the future, left by a clock that was ahead, so that the next use is stored. */
export function correctLastUses({ database }: Site, now: number): Promise<void> {
  return correct(database, { now });
}
