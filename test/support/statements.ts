import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';

const QUIET_MS = 20;
const QUIET_WAIT_MAX_MS = 5_000;

/**
 * Counts the statements that `work` runs. Other activity can only add to the count, so each run starts
 * when no statement has run for a while, and the smallest of several counts is the result. Apps under
 * test switch background jobs off.
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
  const deadline = performance.now() + QUIET_WAIT_MAX_MS;
  for (;;) {
    const count = database.queriesRun();
    await setTimeout(QUIET_MS);
    if (database.queriesRun() === count || performance.now() > deadline) return count;
  }
}
