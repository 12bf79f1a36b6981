import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { only } from '../../db/statements/row-query.ts';
import { updateRows } from '../../db/statements/rows-query.ts';
import type { Receiver } from './delivery-columns.ts';
import type { DeliveryTables } from './delivery-use.ts';

const HEALTH = [
  'status',
  'failures',
  'failing_since',
  'paused_until',
  'last_delivery_at',
  'last_error',
] as const;
const SAVED = ['id', ...HEALTH] as const;

/** Reads receivers, and saves how deliveries to them go. */
export function receiverStatements<R extends Receiver>({ receivers }: DeliveryTables) {
  const byIds = byNumber<R>((db, isKey) => {
    const statement = sql<R>`select * from ${sql.table(receivers)}
      where ${isKey('id')} and status <> 'deleted'`;
    return { compile: () => statement.compile(db) };
  });
  const save = updateRows<Pick<Receiver, (typeof SAVED)[number]>>(receivers, {
    key: ['id'],
    set: HEALTH,
  });

  return {
    /** Undefined for one that was deleted. */
    find: (db: Reader, id: number): Promise<R | undefined> => db.first(byIds.one, { key: id }),
    list: (db: Reader, ids: readonly number[]): Promise<R[]> => db.allByKeys(byIds, ids),
    async save(tx: Transaction, all: readonly R[]): Promise<void> {
      await tx.updateMany(
        save,
        all.map((receiver) => only<Receiver, (typeof SAVED)[number]>(receiver, SAVED)),
      );
    },
  };
}

export type ReceiverStatements<R extends Receiver> = ReturnType<typeof receiverStatements<R>>;
