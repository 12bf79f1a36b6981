import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Migration } from '../db/migrator.ts';
import { query } from '../db/query.ts';
import type { Job } from '../kernel/job.ts';
import { perSite, type Site } from '../kernel/site.ts';

/** Whoever looks into the table sees where a job is done. */
const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
/** How late a run may be before others take the job for left behind. */
export const LATE_MS = 30_000;

export const leaseMigrations: Migration[] = [
  {
    name: '0001-leases',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('leases')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('holder', 'text', (c) => c.notNull())
        .addColumn('until', bigInteger, (c) => c.notNull()),
    ],
  },
];

const claim = query<{ name: string; holder: string; until: number; now: number }>((db, p) =>
  db
    .insertInto('leases')
    .values({ name: p.name, holder: p.holder, until: p.until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: p.holder, until: p.until })
        .where((eb) => eb.or([eb('leases.holder', '=', p.holder), eb('leases.until', '<', p.now)])),
    ),
);

const release = query<{ holder: string }>((db, p) =>
  db.deleteFrom('leases').where('holder', '=', p.holder),
);
const releaseAll = query<object>((db) => db.deleteFrom('leases'));

const heldLeases = perSite(() => new Map<string, number>());

/**
 * Whether this process is the one that runs a job now. The claim lasts half a minute beyond the next
 * run and is renewed at half time, so that a frequent job does not write with every run; after a
 * crash another process takes over when it has run out.
 */
export async function claimJob(site: Site, job: Job): Promise<boolean> {
  const held = heldLeases(site);
  const now = Date.now();
  const leaseMs = job.everyMs + LATE_MS;
  if ((held.get(job.name) ?? 0) - now > leaseMs / 2) return true;
  const until = now + leaseMs;
  const taken = await site.database.transaction((tx) =>
    tx.run(claim, { name: job.name, holder, until, now }),
  );
  if (taken === 1) held.set(job.name, until);
  else held.delete(job.name);
  return taken === 1;
}

/** Lets others take over at once. */
export async function releaseLeases(site: Site): Promise<void> {
  heldLeases(site).clear();
  await site.database.transaction((tx) => tx.run(release, { holder }));
}

/** For a server that is alone on its database: what a crashed one held is free. */
export async function releaseAllLeases(site: Site): Promise<void> {
  await site.database.transaction((tx) => tx.run(releaseAll, {}));
}
