import { sql } from 'kysely';
import { pagedList } from '../../db/lists/paged-list.ts';
import { write } from '../../db/statements/calls.ts';
import type { UserRow } from '../users/index.ts';

export const teamRoles = ['administrator', 'manager'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Literals, because the planner uses the partial index of the team only then. */
const inTeam = sql<boolean>`role in ('administrator', 'manager')`;

export const { count: countMembers, page: listMemberRows } = pagedList(
  (db) => db.selectFrom('users').where(inTeam),
  (q) => q.selectAll().orderBy('id'),
);

export const saveMember = write<Pick<UserRow, 'id' | 'role' | 'disabled_at'>>((db, p) =>
  db
    .updateTable('users')
    .set({ role: p.role, disabled_at: p.disabled_at, roster_due: 1 })
    .where('id', '=', p.id),
);
