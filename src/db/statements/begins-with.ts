import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** The condition that a text begins with another, which follows an index of the column; `like` would not. */
export function beginsWith(column: string, beginning: unknown): RawBuilder<SqlBool> {
  const text = sql.ref(column);
  // No text that begins with it comes after its last possible character, in the order of code points.
  return sql<SqlBool>`(${text} >= ${beginning} and ${text} < ${beginning} || ${sql.lit('\u{10FFFF}')})`;
}
