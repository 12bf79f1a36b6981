import type { Transaction } from '../database.ts';
import type { Tables } from '../tables.ts';
import { defineWrites, type FlushPosition } from '../unit-of-work.ts';
import { insertRows, type Conflict } from './rows-query.ts';

/**
 * Declares rows that a transaction collects, and writes together before it commits: of several with the same key, the
 * last one.
 */
export function collectRows<R extends object>(
  table: keyof Tables,
  { after, ...conflict }: Conflict<R> & { readonly after: FlushPosition },
): (tx: Transaction, row: R) => void {
  const statement = insertRows<R>(table, conflict);
  const kind = defineWrites({
    name: table,
    after,
    create: () => {
      const rows = new Map<string, R>();
      return { rows, flush: (tx: Transaction) => tx.runMany(statement, [...rows.values()]) };
    },
  });
  return (tx, row) => {
    tx.pending(kind).rows.set(conflict.on.map((name) => row[name]).join(' '), row);
  };
}
