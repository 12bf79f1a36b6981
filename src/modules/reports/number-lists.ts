import { sql, type RawBuilder } from 'kysely';

/** Many rows in one, each column a list like `1,2,3`; null for no rows. */
export type NumberLists<Name extends string> = Record<Name, string | null>;

/**
 * Aggregates a column into one list: returning a row for each takes two to three times as long (measured on SQLite).
 * All lists of a statement have the same order.
 */
export const listOf = (number: RawBuilder<unknown>) =>
  sql<string | null>`string_agg(cast(${number} as text), ',')`;

export const list = <Name extends string>(column: Name) => listOf(sql.ref(column)).as(column);

export function numbersOf(numbers: string | null): number[] {
  // The list consists of numbers that the database has joined.
  return JSON.parse(`[${numbers ?? ''}]`) as number[];
}
