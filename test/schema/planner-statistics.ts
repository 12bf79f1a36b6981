import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { PlannerStatistics } from '../../src/db/sqlite/planner-statistics.ts';
import { notFilled } from '../growth/fill.ts';

export const statisticsFile: string = join(
  import.meta.dirname,
  '../../src/db/sqlite/planner-statistics.json',
);

/** Rows of a table that grows with use, and of one that people set up; of a partial index, unless the store has some. */
const MANY = 20_000;
const FEW = 500;
/** What SQLite assumes of rows with the same first, second, … column of an index without statistics. */
const ALIKE = [10, 9, 8, 7, 6, 5];

interface Index {
  tbl: string;
  idx: string;
  columns: number;
  isUnique: boolean;
  isPartial: boolean;
}

/**
 * Each index of the schema by its table, and each table without one. The index of a table that is stored by its key
 * has the name of the table in the statistics.
 */
export function indexesOf(db: DatabaseSync): Index[] {
  const listed = db.prepare(
    `select t.name as tbl,
         case when i.name is null then '' when l.wr and i.origin = 'pk' then t.name else i.name end as idx,
         (select count(*) from pragma_index_info(i.name)) as columns,
         coalesce(i."unique", 0) as isUnique, coalesce(i.partial, 0) as isPartial
       from sqlite_schema t join pragma_table_list l on l.name = t.name
         left join pragma_index_list(t.name) i
       where t.type = 'table' and t.name not like 'sqlite_%' order by tbl, idx`,
  );
  // The statement selects these columns.
  return listed.all() as unknown as Index[];
}

/**
 * The statistics that a store gives, rounded, so that a change of the schema changes few of them. They are careful:
 * equal rows are at least as many as SQLite assumes, because some affiliates have most of a store, and an index
 * whose first column is the same in every row counts as one without statistics.
 */
export function countStatistics(db: DatabaseSync): PlannerStatistics {
  db.exec('analyze');
  const counted = new Map(
    db
      .prepare(`select tbl || '.' || coalesce(idx, '') as name, stat from sqlite_stat1`)
      .all()
      .map(({ name, stat }) => [String(name), String(stat).split(' ').map(Number)]),
  );
  const statistics: PlannerStatistics = {};
  for (const { tbl, idx, columns, isUnique, isPartial } of indexesOf(db)) {
    const [found = 0, ...alike] = counted.get(`${tbl}.${idx}`) ?? [];
    const rows = tbl in notFilled || (isPartial && !found) ? FEW : isPartial ? found : MANY;
    const numbers = [rows];
    for (let i = 0; i < columns; i++) {
      const assumed = ALIKE[i] ?? ALIKE.at(-1)!;
      const isKnown = rows !== FEW && alike[0] !== found;
      const equal = isUnique && i === columns - 1 ? 1 : Math.max(isKnown ? alike[i]! : 0, assumed);
      numbers.push(Math.min(numbers[i]!, equal));
    }
    (statistics[tbl] ??= {})[idx] = numbers.map(rounded).join(' ');
  }
  return statistics;
}

/** To one digit: the planner works with powers of two. */
const rounded = (count: number): number => Number(count.toPrecision(1));
