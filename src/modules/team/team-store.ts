import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { UserRow } from '../users/index.ts';

export const teamRoles = ['administrator', 'manager'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Literals, because the planner uses the partial index of the team only then. */
const inTeam = sql<boolean>`role in ('administrator', 'manager')`;

const count = query<object, { total: number }>((db) =>
  db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(inTeam),
);

const list = query<{ limit: number; offset: number }, UserRow>((db, p) =>
  db.selectFrom('users').selectAll().where(inTeam).orderBy('id').limit(p.limit).offset(p.offset),
);

const save = query<Pick<UserRow, 'id' | 'role' | 'disabled_at'>>((db, p) =>
  db
    .updateTable('users')
    .set({ role: p.role, disabled_at: p.disabled_at, roster_due: 1 })
    .where('id', '=', p.id),
);

export async function countMembers(db: Reader): Promise<number> {
  return (await db.first(count, {}))!.total;
}

export function listMemberRows(
  db: Reader,
  page: { limit: number; offset: number },
): Promise<UserRow[]> {
  return db.all(list, page);
}

export async function saveMember(
  tx: Transaction,
  member: Pick<UserRow, 'id' | 'role' | 'disabled_at'>,
): Promise<void> {
  await tx.run(save, member);
}
