import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { beginsWith } from '../statements/begins-with.ts';
import type { QueryOptions } from '../statements/query.ts';
import type { Tables } from '../tables.ts';
import { wordsIn } from './words.ts';

/** A search by beginnings of words; a row has a word with each of them. */
export interface Terms {
  term1?: string | undefined;
  term2?: string | undefined;
  term3?: string | undefined;
}

export function termsIn(search = ''): Terms {
  const [term1, term2, term3] = wordsIn(search);
  return { term1, term2, term3 };
}

export function givenTerms(p: Terms, given: (name: keyof Terms) => boolean) {
  return (['term1', 'term2', 'term3'] as const).filter(given).map((name) => p[name]);
}

/** A search may pass many rows before it has found a page of them. */
export const longIfSearched: QueryOptions = {
  isLong: ({ term1, search }) => term1 !== undefined || search !== undefined,
};

/** The condition that a word begins with this term. */
export const hasWord = (term: unknown) => beginsWith('word', term);

/** A condition that another table decides: its rows that meet it have the id in a column. */
export interface Condition {
  readonly table: keyof Tables;
  readonly column: string;
  readonly where: RawBuilder<SqlBool>;
}

/**
 * Begins with the rows that meet the first condition and checks the others. Each of several conditions on the column
 * itself would be used to search the index: SQLite then tries every pair of their ids.
 */
export function collected<DB, TB extends keyof DB, O>(
  all: SelectQueryBuilder<DB, TB, O>,
  id: string,
  conditions: readonly Condition[],
): SelectQueryBuilder<DB, TB, O> {
  return conditions.reduce((q, { table, column, where }, i) => {
    const one = i === 0 ? sql.ref(id) : sql`(${sql.ref(id)} + 0)`;
    const ids = sql`select ${sql.ref(column)} from ${sql.table(table)} where ${where}`;
    return q.where(sql<SqlBool>`${one} in (${ids})`);
  }, all);
}

/**
 * Checks one row after the other. Without the offset PostgreSQL collects all rows that meet the conditions first: 340 ms
 * for 20 of 100,000 affiliates instead of one.
 */
export function walked<DB, TB extends keyof DB, O>(
  all: SelectQueryBuilder<DB, TB, O>,
  id: string,
  conditions: readonly Condition[],
): SelectQueryBuilder<DB, TB, O> {
  return conditions.reduce((q, { table, column, where }) => {
    const isMet = sql`${sql.ref(`met.${column}`)} = ${sql.ref(id)} and ${where}`;
    return q.where(
      sql<SqlBool>`exists (select 1 from ${sql.table(table)} as met where ${isMet} limit 1 offset 0)`,
    );
  }, all);
}
