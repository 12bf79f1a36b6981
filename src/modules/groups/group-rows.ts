import type { Reader, Transaction } from '../../db/database.ts';
import { pagedList } from '../../db/lists/paged-list.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';

export type GroupRow = RowOf<'groups'>;

type NewGroup = Omit<GroupRow, 'id' | 'name_folded'>;
type GroupUpdate = Omit<GroupRow, 'name_folded' | 'created_at'>;

const insert = rowQuery<Omit<GroupRow, 'id'>, GroupRow>((db, row) =>
  db.insertInto('groups').values(row).returningAll(),
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
      discount: p.discount,
    })
    .where('id', '=', p.id)
    .returningAll(),
);

export const findGroup = findIn('groups', 'id');

const byName = query<{ name_folded: string }, GroupRow>((db, p) =>
  db.selectFrom('groups').selectAll().where('name_folded', '=', p.name_folded),
);

export const groupList = pagedList(
  (db) => db.selectFrom('groups'),
  (q) =>
    q
      .selectAll()
      .select(({ selectFrom, fn }) =>
        selectFrom('affiliate_groups')
          .select(fn.countAll<number>().as('count'))
          .whereRef('affiliate_groups.group_id', '=', 'groups.id')
          .$asScalar()
          .$notNull()
          .as('members'),
      )
      .orderBy('id'),
);

export async function insertGroup(tx: Transaction, group: NewGroup): Promise<GroupRow> {
  return (await tx.first(insert, { ...group, name_folded: foldGroupName(group.name) }))!;
}

export async function updateGroup(tx: Transaction, group: GroupUpdate): Promise<GroupRow> {
  return (await tx.first(update, { ...group, name_folded: foldGroupName(group.name) }))!;
}

/** Compares case-insensitively: two group names never differ in case alone. */
export function findGroupByName(db: Reader, name: string): Promise<GroupRow | undefined> {
  return db.first(byName, { name_folded: foldGroupName(name) });
}

function foldGroupName(name: string): string {
  return name.toLowerCase();
}
