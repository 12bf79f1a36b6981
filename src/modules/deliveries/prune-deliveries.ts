import { sql, type SqlBool } from 'kysely';
import type { Database, Transaction } from '../../db/database.ts';
import { deleteInBatches } from '../../db/statements/in-batches.ts';
import { query } from '../../db/statements/query.ts';
import type { DeliveryTables } from './delivery-use.ts';

interface PruneOptions {
  /** Deliveries that were queued before are removed. */
  readonly before: number;
  /** Removes what else belongs to a deleted receiver. */
  removeRest?(tx: Transaction, receiver: number): Promise<unknown>;
}

/** Removes old deliveries, and deleted receivers with theirs. */
export function pruner({ receivers, deliveries, receiverId, position }: DeliveryTables) {
  const table = sql.table(receivers);
  const removeOld = deleteInBatches<{ before: number }>(
    deliveries,
    'queued_at',
    (p) => sql<SqlBool>`queued_at < ${p.before}`,
  );
  const deleted = query<object, { id: number }>((db) => {
    const statement = sql<{ id: number }>`select id from ${table} where status = 'deleted'`;
    return { compile: () => statement.compile(db) };
  });
  const removeOf = deleteInBatches<{ receiver: number }>(
    deliveries,
    position,
    (p) => sql<SqlBool>`${sql.ref(receiverId)} = ${p.receiver}`,
  );
  const removeReceiver = query<{ id: number }>((db, p) => {
    const statement = sql<never>`delete from ${table} where id = ${p.id} and status = 'deleted'`;
    return { compile: () => statement.compile(db) };
  });

  return async (database: Database, { before, removeRest }: PruneOptions): Promise<void> => {
    await removeOld(database, { before });
    for (const { id } of await database.read.all(deleted, {})) {
      await removeOf(database, { receiver: id });
      await database.transaction(async (tx) => {
        await removeRest?.(tx, id);
        await tx.run(removeReceiver, { id });
      });
    }
  };
}
