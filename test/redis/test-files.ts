import { globSync } from 'node:fs';

/** What counts, locks or forgets, and so behaves the same with Redis between several instances. */
const alsoWithRedis = [
  'src/modules/clicks/follow-link.test.ts',
  'src/modules/registrations/application-form.test.ts',
  'test/authentication.test.ts',
  'test/clocks-stored.test.ts',
  'test/clocks.test.ts',
  'test/cluster/four-processes.test.ts',
  'test/lock-out.test.ts',
  'test/postgres/instances.test.ts',
  'test/rate-limits.test.ts',
  'test/sessions.test.ts',
];

/** The test files that run with Redis beside PostgreSQL; those in this folder run nowhere else. */
export function redisTestFiles(): string[] {
  return [...alsoWithRedis, ...globSync('test/redis/*.test.ts').sort()];
}

/** Two instances without Redis tell each other by the database. */
const differsWithoutRedis = 'test/postgres/instances.test.ts';

/** What a run with Redis does on the same server in the same way: without Redis only the counters of a process differ. */
export function repeatedWithRedis(file: string): boolean {
  return alsoWithRedis.includes(file) && file !== differsWithoutRedis;
}

/** Files that have no test without Redis. */
export const redisOnly = ['test/redis/clock.test.ts', 'test/redis/failures.test.ts'];

/** What would disturb others on a Redis that is given to us. */
export function ownServerOnly(file: string): boolean {
  return file === 'test/redis/own-server.test.ts';
}
