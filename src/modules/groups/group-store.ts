import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { GroupsTable } from './tables.ts';

export type GroupRow = Selectable<GroupsTable>;

type NewGroup = Omit<GroupRow, 'id' | 'name_folded'>;
type GroupUpdate = Omit<GroupRow, 'name_folded' | 'created_at'>;

const insert = query<Omit<GroupRow, 'id'>, GroupRow>((db, p) =>
  db
    .insertInto('groups')
    .values({
      name: p.name,
      name_folded: p.name_folded,
      percent: p.percent,
      fixed_per_order: p.fixed_per_order,
      fixed_per_product: p.fixed_per_product,
      created_at: p.created_at,
    })
    .returningAll(),
);

const update = query<Omit<GroupRow, 'created_at'>, GroupRow>((db, p) =>
  db
    .updateTable('groups')
    .set({
      name: p.name,
      name_folded: p.name_folded,
      percent: p.percent,
      fixed_per_order: p.fixed_per_order,
      fixed_per_product: p.fixed_per_product,
    })
    .where('id', '=', p.id)
    .returningAll(),
);

const byId = query<{ id: number }, GroupRow>((db, p) =>
  db.selectFrom('groups').selectAll().where('id', '=', p.id),
);

const byName = query<{ name_folded: string }, GroupRow>((db, p) =>
  db.selectFrom('groups').selectAll().where('name_folded', '=', p.name_folded),
);

const count = query<object, { total: number }>((db) =>
  db.selectFrom('groups').select((eb) => eb.fn.countAll<number>().as('total')),
);

const list = query<{ limit: number; offset: number }, GroupRow>((db, p) =>
  db.selectFrom('groups').selectAll().orderBy('id').limit(p.limit).offset(p.offset),
);

export async function insertGroup(tx: Transaction, group: NewGroup): Promise<GroupRow> {
  return (await tx.first(insert, { ...group, name_folded: foldGroupName(group.name) }))!;
}

export async function updateGroup(tx: Transaction, group: GroupUpdate): Promise<GroupRow> {
  return (await tx.first(update, { ...group, name_folded: foldGroupName(group.name) }))!;
}

export function findGroup(db: Reader, id: number): Promise<GroupRow | undefined> {
  return db.first(byId, { id });
}

/** Compares case-insensitively: two group names never differ in case alone. */
export function findGroupByName(db: Reader, name: string): Promise<GroupRow | undefined> {
  return db.first(byName, { name_folded: foldGroupName(name) });
}

export async function countGroups(db: Reader): Promise<number> {
  return (await db.first(count, {}))!.total;
}

export function listGroupRows(
  db: Reader,
  page: { limit: number; offset: number },
): Promise<GroupRow[]> {
  return db.all(list, page);
}

function foldGroupName(name: string): string {
  return name.toLowerCase();
}
