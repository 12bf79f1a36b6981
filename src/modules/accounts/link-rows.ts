import { sql, type SqlBool } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { insertRow, readFirst, readOne, write, writeFirst } from '../../db/statements/calls.ts';
import { deleteInBatches, updateInBatches } from '../../db/statements/in-batches.ts';
import { query } from '../../db/statements/query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { LinkPurpose } from './tables.ts';

export type LinkRow = RowOf<'account_links'>;

export const insertLink = insertRow<Omit<LinkRow, 'ended_at'>>((db, row) =>
  db.insertInto('account_links').values(row),
);

interface LinkKey {
  token_hash: string;
  purpose: LinkPurpose;
  now: number;
}

export const findUsableLink = readFirst<LinkKey, LinkRow>((db, p) =>
  db
    .selectFrom('account_links')
    .selectAll()
    .where('token_hash', '=', p.token_hash)
    .where('purpose', '=', p.purpose)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', p.now),
);

/**
 * Uses a link up. Undefined if it does not work, or not any more. One statement: of two requests at the same time, the
 * second one finds the link ended.
 */
export const useLinkRow = writeFirst<LinkKey, LinkRow>((db, p) =>
  db
    .updateTable('account_links')
    .set({ ended_at: p.now })
    .where('token_hash', '=', p.token_hash)
    .where('purpose', '=', p.purpose)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returningAll(),
);

interface UserLinks {
  user_id: number;
  purpose?: LinkPurpose | undefined;
  now: number;
}

/** Ends all links of a user, or those of one purpose. */
export const endLinks = write<UserLinks>((db, p, given) =>
  db
    .updateTable('account_links')
    .set({ ended_at: p.now })
    .where('user_id', '=', p.user_id)
    .where('ended_at', 'is', null)
    .$if(given('purpose'), (q) => q.where('purpose', '=', p.purpose)),
);

interface Recent {
  user_id: number;
  purpose: LinkPurpose;
  network_hash: string;
  since: number;
}

interface RecentCounts {
  count: number;
  of_network: number;
  latest: number | null;
}

export const recentLinks = readOne<Recent, RecentCounts>((db, p) =>
  db
    .selectFrom('account_links')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.countAll<number>().filterWhere('network_hash', '=', p.network_hash).as('of_network'),
      eb.fn.max<number | null>('created_at').as('latest'),
    ])
    .where('user_id', '=', p.user_id)
    .where('purpose', '=', p.purpose)
    .where('created_at', '>', p.since),
);

const pending = query<{ user_id: number; now: number }, { data: string }>((db, p) =>
  db
    .selectFrom('account_links')
    .select('data')
    .where('user_id', '=', p.user_id)
    .where('purpose', '=', 'email')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', p.now),
);

export const removeLinksBefore = deleteInBatches<{ before: number }>(
  'account_links',
  'expires_at',
  (p) => sql<SqlBool>`expires_at < ${p.before} and created_at < ${p.before}`,
);

export const shortenLinks = updateInBatches<{ purpose: LinkPurpose; now: number; latest: number }>(
  'account_links',
  'token_hash',
  (p) => ({
    set: sql`expires_at = ${p.latest}, created_at = case when created_at > ${p.now} then ${p.now} else created_at end`,
    where: sql<SqlBool>`purpose = ${p.purpose} and expires_at > ${p.latest}`,
  }),
);

export async function findPendingEmail(
  db: Reader,
  userId: number,
  now: number,
): Promise<string | undefined> {
  return (await db.first(pending, { user_id: userId, now }))?.data;
}
