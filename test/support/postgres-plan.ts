import { CompiledQuery } from 'kysely';
import type { Recorded } from '../../bench/recorded.ts';
import type { Database } from '../../src/db/database.ts';
import { query } from '../../src/db/statements/query.ts';

/** How PostgreSQL would run a statement, as the text that `explain` prints. */
export async function postgresPlan(
  database: Database,
  { sql, values }: Recorded[number],
): Promise<string> {
  const explained = query<object, { 'QUERY PLAN': string }>(() => ({
    compile: () => CompiledQuery.raw(`explain ${sql}`, values),
  }));
  const plan = await database.transaction((tx) => tx.all(explained, {}));
  return plan.map((row) => row['QUERY PLAN']).join('\n');
}
