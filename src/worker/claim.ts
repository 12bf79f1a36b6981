import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Migration } from '../db/migrator.ts';
import { query } from '../db/statements/query.ts';
import type { Job } from '../kernel/declare/job.ts';
import { perSite, type Site } from '../kernel/declare/site.ts';

/** Shows in the table which host and process runs a job. */
const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
/** How late a run may be before another instance takes over the job. */
export const LATE_MS = 30_000;

export const leaseMigrations: Migration[] = [
  {
    name: 'leases/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('leases')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('holder', 'text', (c) => c.notNull())
        .addColumn('until', bigInteger, (c) => c.notNull()),
    ],
  },
];

/**
 * Uses the clock of the database, so that differing clocks of instances do not matter. A lease that ends later
 * than one taken now is from before that clock was set back and counts as expired.
 */
const claim = query<{ name: string; holder: string; lease_ms: number }>(
  (db, p, _given, { now }) => {
    const until = sql<number>`${now} + ${p.lease_ms}`;
    return db
      .insertInto('leases')
      .values({ name: p.name, holder: p.holder, until })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder: p.holder, until })
          .where((eb) =>
            eb.or([
              eb('leases.holder', '=', p.holder),
              eb('leases.until', '<', now),
              eb('leases.until', '>', until),
            ]),
          ),
      );
  },
);

const release = query<{ holder: string }>((db, p) =>
  db.deleteFrom('leases').where('holder', '=', p.holder),
);
const releaseAll = query<object>((db) => db.deleteFrom('leases'));

/** When a job was claimed, by both clocks of this process. */
interface ClaimTime {
  readonly calendarMs: number;
  readonly monotonicMs: number;
}

const claims = perSite(() => new Map<string, ClaimTime>());

/**
 * Whether this process runs the job now. The claim lasts half a minute beyond the next
 * run and is renewed at half time, so that a frequent job does not write with every run. After a
 * crash another process takes over when the claim has expired.
 */
export async function claimJob(site: Site, job: Job): Promise<boolean> {
  const leaseMs = job.everyMs + LATE_MS;
  const known = claims(site).get(job.name);
  if (known && ageOf(known) < leaseMs / 2) return true;
  // Read before the statement, so that this process renews no later than at half time of the database.
  const claimed = { calendarMs: Date.now(), monotonicMs: performance.now() };
  const taken = await site.database.transaction((tx) =>
    tx.run(claim, { name: job.name, holder, lease_ms: leaseMs }),
  );
  if (taken === 1) claims(site).set(job.name, claimed);
  else claims(site).delete(job.name);
  return taken === 1;
}

/** Uses the clock that has advanced further: the system clock can be set back, the monotonic one stops in suspend. */
function ageOf({ calendarMs, monotonicMs }: ClaimTime): number {
  return Math.max(Date.now() - calendarMs, performance.now() - monotonicMs);
}

/** Lets other instances take over immediately. */
export async function releaseLeases(site: Site): Promise<void> {
  claims(site).clear();
  await site.database.transaction((tx) => tx.run(release, { holder }));
}

/** Releases the leases of a crashed server. Only a server that is alone on its database may call it. */
export async function releaseAllLeases(site: Site): Promise<void> {
  await site.database.transaction((tx) => tx.run(releaseAll, {}));
}
