import { setTimeout } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';

const QUIET_MS = 20;
const NO_LONGER_THAN_MS = 5_000;

/**
 * How many statements some work takes. Whatever else is at work can only add to the count, so each
 * begins when nothing has run for a while, and the smallest of several is the work's. Apps that are
 * counted on leave the background jobs off.
 */
export async function statementsOf(
  database: Database,
  work: () => Promise<unknown>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const before = await whenQuiet(database);
    await work();
    least = Math.min(least, database.queriesRun() - before);
  }
  return least;
}

async function whenQuiet(database: Database): Promise<number> {
  const deadline = performance.now() + NO_LONGER_THAN_MS;
  for (;;) {
    const count = database.queriesRun();
    await setTimeout(QUIET_MS);
    if (database.queriesRun() === count || performance.now() > deadline) return count;
  }
}
