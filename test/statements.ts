import type { Database } from '../src/db/database.ts';

/**
 * How many statements some work takes. Background jobs run statements of their own meanwhile, which
 * can only add: the smallest of several counts is the work's.
 */
export async function statementsOf(
  database: Database,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const before = database.queriesRun();
    await work();
    least = Math.min(least, database.queriesRun() - before);
  }
  return least;
}
