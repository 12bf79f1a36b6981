import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { readAll, readByNumbers } from '../../../src/db/statements/calls.ts';
import { findIn } from '../../../src/db/statements/plain-calls.ts';
import { insertRows, updateRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { selectAffiliates } from '../../../src/modules/affiliates/index.ts';
import type { UserRow } from '../../../src/modules/users/index.ts';
import type { MemberState } from '../tables.ts';

export type MemberRow = RowOf<'series_members'>;

const insertAll = insertRows<MemberRow>('series_members', { on: ['series_id', 'user_id'] });

export function insertMembers(tx: Transaction, rows: readonly MemberRow[]): Promise<void> {
  return tx.runMany(insertAll, rows);
}

const updateAll = updateRows<MemberRow>('series_members', {
  key: ['series_id', 'user_id'],
  set: ['state', 'reason', 'due_at', 'days', 'ended_at'],
});

export function saveMembers(tx: Transaction, rows: readonly MemberRow[]): Promise<void> {
  return tx.runMany(updateAll, rows);
}

/** Those of some users who have been in a series. */
export const listEntered = readAll<{ series_id: number; ids: string }, { user_id: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('series_members')
      .select('user_id')
      .where('series_id', '=', p.series_id)
      .where(dialect.inJsonArray('series_members.user_id', p.ids, 'number')),
);

export const findMember = findIn('series_members', 'series_id', 'user_id');

/** Where some users wait for a step, and whether an order ends it. */
export const listWaitingOf = readByNumbers<MemberRow & { ends_on_order: number }>((db, isKey) =>
  db
    .selectFrom('series_members')
    .innerJoin('series', 'series.id', 'series_members.series_id')
    .selectAll('series_members')
    .select('series.ends_on_order')
    .where(isKey('series_members.user_id'))
    .where('series_members.due_at', 'is not', null)
    .orderBy('series_members.series_id')
    .orderBy('series_members.user_id'),
);

/** A member with what a mail needs. */
export type DueMember = MemberRow &
  Pick<UserRow, 'display_name' | 'email' | 'language' | 'muted_notices'> & {
    /** 1 if the affiliate is active and may sign in. */
    is_active: number;
  };

/** Affiliates without a record of their own are active. */
const isActive = sql<boolean>`coalesce(affiliates.status, 'active') = 'active'
  and users.disabled_at is null`;

export const listDueMembers = readAll<{ series_id: number; now: number; limit: number }, DueMember>(
  (db, p) =>
    db
      .selectFrom('series_members')
      .innerJoin('users', 'users.id', 'series_members.user_id')
      .leftJoin('affiliates', 'affiliates.user_id', 'series_members.user_id')
      .selectAll('series_members')
      .select(['users.display_name', 'users.email', 'users.language', 'users.muted_notices'])
      .select(sql<number>`case when ${isActive} then 1 else 0 end`.as('is_active'))
      .where('series_members.series_id', '=', p.series_id)
      .where('series_members.due_at', '<=', p.now)
      .orderBy('series_members.due_at')
      .orderBy('series_members.user_id')
      .limit(p.limit),
);

/** The next waiting members after a position, in the order in which they entered. */
export const listNextWaiting = readAll<
  { series_id: number; at: number; user_id: number; limit: number },
  MemberRow
>((db, p) =>
  db
    .selectFrom('series_members')
    .selectAll()
    .where('series_id', '=', p.series_id)
    .where('state', '=', sql.lit('waiting'))
    .where('entered_at', '>=', p.at)
    .where((eb) => eb.or([eb('entered_at', '>', p.at), eb('user_id', '>', p.user_id)]))
    .orderBy('entered_at')
    .orderBy('user_id')
    .limit(p.limit),
);

interface MemberFilter {
  series_id: number;
  state?: MemberState | undefined;
}

/** Latest first. */
export const memberList = pagedList(
  (db, p: MemberFilter, given) =>
    db
      .selectFrom('series_members')
      .innerJoin('users', 'users.id', 'series_members.user_id')
      .where('series_id', '=', p.series_id)
      .$if(given('state'), (q) => q.where('series_members.state', '=', p.state!)),
  (q) =>
    q
      .selectAll('series_members')
      .select(['users.display_name', 'users.email'])
      .orderBy('series_members.entered_at', 'desc')
      .orderBy('series_members.user_id', 'desc'),
);

/** Which of some users are active affiliates, and since when. */
export const listActiveAffiliates = readByNumbers<{ user_id: number; registered_at: number }>(
  (db, isKey) =>
    selectAffiliates(db)
      .select('users.id as user_id')
      .select((eb) =>
        eb.fn.coalesce('affiliates.registered_at', 'users.created_at').as('registered_at'),
      )
      .where(isKey('users.id'))
      .where(isActive),
);
