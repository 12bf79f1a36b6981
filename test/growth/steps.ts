import { StatementSync, type SQLInputValue } from 'node:sqlite';

/**
 * The work of statements: for each text, how many instructions of SQLite's virtual machine its runs took. A row that
 * is visited takes several, so this counts rows exactly, and the same on every machine.
 */
export type Steps = ReadonlyMap<string, number>;

/** The types of Node do not know the counters of a statement yet. */
interface Counted extends StatementSync {
  stat(counter: 'vmStep'): number;
}

/** Options of a test that counts steps: Node 24 cannot. */
export const counting = {
  skip: 'stat' in StatementSync.prototype ? false : 'this Node does not count steps of statements',
};

type Run = (this: Counted, ...values: SQLInputValue[]) => unknown;

const methods = ['all', 'get', 'run'] as const;

/** Counts the steps of all statements that run on this thread during the work. */
export async function stepsOf(work: () => Promise<unknown>): Promise<Steps> {
  const steps = new Map<string, number>();
  const originals = new Map<(typeof methods)[number], unknown>();
  for (const method of methods) {
    // The three methods take the same values, which their overloads hide.
    const original = StatementSync.prototype[method] as Run;
    originals.set(method, original);
    const counted: Run = function counted(...values) {
      const before = this.stat('vmStep');
      try {
        return original.apply(this, values);
      } finally {
        const sql = this.sourceSQL;
        steps.set(sql, (steps.get(sql) ?? 0) + this.stat('vmStep') - before);
      }
    };
    Object.assign(StatementSync.prototype, { [method]: counted });
  }
  try {
    await work();
  } finally {
    Object.assign(StatementSync.prototype, Object.fromEntries(originals));
  }
  return steps;
}
