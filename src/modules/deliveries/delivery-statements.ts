import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { claimRows } from '../../db/statements/claim-rows.ts';
import { query, type Query } from '../../db/statements/query.ts';
import { updateRows } from '../../db/statements/rows-query.ts';
import type { DeliveryColumns } from './delivery-columns.ts';
import type { DeliveryTables, DueDelivery } from './delivery-use.ts';

/** The end of an attempt as it is stored; `attempts` includes it. */
export type Attempt = Omit<Selectable<DeliveryColumns>, 'attempts_before' | 'queued_at'>;

interface Lease {
  now: number;
  until: number;
}

/**
 * The receivers that have deliveries to send at some time, one step of the index each: neither the receivers without
 * any nor the number of deliveries matter. It is used as `with recursive …`.
 */
export function waitingReceivers({ deliveries, receiverId }: DeliveryTables): RawBuilder<unknown> {
  const [table, column] = [sql.table(deliveries), sql.ref(receiverId)];
  const first = sql`select min(${column}) from ${table} where due_at is not null`;
  return sql`waiting(id) as (${first} union all
    select (${first} and ${column} > waiting.id) from waiting where waiting.id is not null)`;
}

/** The statements of the tables of one use. */
export function deliveryStatements<D extends DueDelivery>(
  tables: DeliveryTables,
  due: Query<{ receiver: number; now: number; limit: number }, D>,
) {
  const [receivers, deliveries] = [sql.table(tables.receivers), sql.table(tables.deliveries)];

  /** Receivers that are active, not paused, and have due deliveries. The cross join keeps SQLite from reading all. */
  const ready = query<{ now: number }, { id: number }>((db, p) => {
    const statement = sql<{ id: number }>`with recursive ${waitingReceivers(tables)}
      select receiver.id from waiting cross join ${receivers} as receiver
      where receiver.id = waiting.id and receiver.status = 'active' and receiver.paused_until <= ${p.now}
        and exists (select 1 from ${deliveries} as delivery
          where ${sql.ref(`delivery.${tables.receiverId}`)} = receiver.id and delivery.due_at <= ${p.now})
      order by receiver.id`;
    return { compile: () => statement.compile(db) };
  });

  const lease = claimRows<{ id: number }>(tables.deliveries, {
    column: 'due_at',
    isFree: (p) => sql<SqlBool>`due_at <= ${p.now}`,
    returning: 'id',
  });

  /** Ends the leases, unless an attempt has been recorded in the meantime. */
  const release = query<{ ids: string } & Lease>((db, p, _given, dialect) => {
    const statement = sql<never>`update ${deliveries} set due_at = ${p.now}
      where ${dialect.inJsonArray('id', p.ids, 'number')} and due_at = ${p.until}`;
    return { compile: () => statement.compile(db) };
  });

  /** If two instances sent the same delivery, the first record counts: `attempts` has moved on for the other. */
  const record = updateRows<Attempt>(tables.deliveries, {
    key: ['id'],
    raise: 'attempts',
    set: ['state', 'due_at', 'code', 'error', 'attempted_at', 'duration_ms'],
    add: [],
  });

  return {
    async listReady(db: Reader, now: number): Promise<number[]> {
      return (await db.all(ready, { now })).map(({ id }) => id);
    },

    /** Leases deliveries that are due. No other instance sends them until the lease ends. */
    async claim(
      tx: Transaction,
      receiver: number,
      { now, until, limit }: Lease & { limit: number },
    ): Promise<D[]> {
      const chosen = await tx.all(due, { receiver, now, limit });
      if (chosen.length === 0) return chosen;
      const ids = JSON.stringify(chosen.map(({ id }) => id));
      const mine = new Set((await tx.all(lease, { ids, now, until })).map(({ id }) => id));
      return chosen.filter(({ id }) => mine.has(id));
    },

    async release(tx: Transaction, ids: readonly number[], leased: Lease): Promise<void> {
      await tx.run(release, { ids: JSON.stringify(ids), ...leased });
    },

    /** Returns for each attempt whether it was recorded. */
    record: (tx: Transaction, attempts: readonly Attempt[]): Promise<boolean[]> =>
      tx.updateMany(record, attempts),
  };
}

export type DeliveryStatements<D extends DueDelivery> = ReturnType<typeof deliveryStatements<D>>;
