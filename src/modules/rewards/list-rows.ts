import type { Reader, Transaction } from '../../db/database.ts';
import { insertOne, readAll, write } from '../../db/statements/calls.ts';
import { updateRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';

/** One of a list as it is stored. Positions rise, with gaps where one was deleted. */
export interface Stored<T> {
  readonly item: T;
  readonly position: number;
  /** The version of the list after the last change of this one. */
  readonly version: number;
}

type Row = RowOf<'reward_rules'>;

/** Reads and writes a list. */
export function listRows<T extends { readonly id: number }>(
  table: 'reward_rules' | 'reward_bonuses',
) {
  // Both tables have the same columns.
  const name = table as 'reward_rules';
  const readRows = readAll<object, Row>((db) =>
    db.selectFrom(name).selectAll().orderBy('position').orderBy('id'),
  );
  const insertRow = insertOne<Omit<Row, 'id'>, { id: number }>((db, row) =>
    db.insertInto(name).values(row).returning('id'),
  );
  const updated = updateRows<Omit<Row, 'created_at'>>(table, { key: ['id'], keep: ['id'] });
  const placed = updateRows<Pick<Row, 'id' | 'position'>>(table, {
    key: ['id'],
    set: ['position'],
  });
  const deleteRow = write<{ id: number }>((db, p) => db.deleteFrom(name).where('id', '=', p.id));
  return {
    async read(db: Reader): Promise<Stored<T>[]> {
      return (await readRows(db)).map(({ id, content, position, version }) => ({
        // Only what was checked is stored.
        item: { id, ...JSON.parse(content) } as T,
        position,
        version,
      }));
    },
    /** Gives it an id of its own. */
    async insert(tx: Transaction, { item, ...at }: Stored<T>, nowMs: number): Promise<Stored<T>> {
      const times = { created_at: nowMs, updated_at: nowMs };
      const { id } = await insertRow(tx, { ...at, content: contentOf(item), ...times });
      return { item: { ...item, id }, ...at };
    },
    async update(tx: Transaction, { item, ...at }: Stored<T>, nowMs: number): Promise<void> {
      const row = { id: item.id, ...at, content: contentOf(item), updated_at: nowMs };
      await tx.runMany(updated, [row]);
    },
    delete: deleteRow,
    /** Gives all of them their places; those that keep theirs are not written. */
    async place(tx: Transaction, inOrder: readonly Stored<T>[]): Promise<void> {
      const moved = inOrder.flatMap(({ item: { id }, position }, i) =>
        position === i + 1 ? [] : [{ id, position: i + 1 }],
      );
      await tx.runMany(placed, moved);
    },
  };
}

function contentOf(item: { readonly id: number }): string {
  const { id: _, ...content } = item;
  return JSON.stringify(content);
}
