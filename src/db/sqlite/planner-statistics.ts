import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { query } from '../statements/query.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/**
 * For each table and index what `analyze` counted in a large store. A table without an index has the name ''.
 *
 * @internal Exported for the script that writes the file.
 */
export type PlannerStatistics = Record<string, Record<string, string>>;

interface Row {
  tbl: string;
  idx: string | null;
  stat: string;
}

const listRows = query<object, Row>((db) => {
  const text = sql`select tbl, idx, stat from sqlite_stat1 order by tbl, idx`;
  return { compile: () => text.compile(db) };
});

/**
 * Makes SQLite plan by the statistics that belong to the schema, at every start that finds others. It never counts
 * by itself: what it counted in an empty database would let it read tables from end to end that are large an hour
 * later, and every installation would have plans of its own, which no test has seen.
 */
export async function usePlannerStatistics(db: Database): Promise<void> {
  // Only a start needs them.
  const { default: shipped } = await import('./planner-statistics.json', {
    with: { type: 'json' },
  });
  const rows = rowsOf(shipped);
  if (isDeepStrictEqual(await rowsIn(db), rows)) return;
  const values = rows.map(({ tbl, idx, stat }) => sql`(${lit(tbl)}, ${lit(idx)}, ${lit(stat)})`);
  const insert = sql`insert into sqlite_stat1 (tbl, idx, stat) values ${sql.join(values)}`;
  await db.transaction(
    (tx) =>
      // A connection reads the rows with the schema. Creating the table again changes the schema, after which the
      // connections of all processes read it again; the last statement does so on this one.
      tx.execute(`drop table if exists sqlite_stat1; drop table if exists sqlite_stat4;
        analyze sqlite_schema; ${insert.compile(sqliteDialect.builder).sql}; analyze sqlite_schema`),
    { patient: true },
  );
}

const lit = (value: string | null) => sql.lit(value);

/** In the order of `listRows`. */
function rowsOf(statistics: PlannerStatistics): Row[] {
  return Object.entries(statistics).flatMap(([tbl, indexes]) =>
    Object.entries(indexes).map(([idx, stat]) => ({ tbl, idx: idx === '' ? null : idx, stat })),
  );
}

async function rowsIn({ read, dialect }: Database): Promise<Row[]> {
  try {
    return (await read.all(listRows, {})).map((row) => ({ ...row }));
  } catch (error) {
    if (dialect.isMissingTable(error)) return [];
    throw error;
  }
}
