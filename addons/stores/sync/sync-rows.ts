import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readAll, write } from '../../../src/db/statements/calls.ts';
import { instant } from '../../../src/db/statements/instants.ts';
import { findIn } from '../../../src/db/statements/plain-calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { only, rowQuery } from '../../../src/db/statements/row-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { SyncTask } from '../tables.ts';

export type SyncRow = RowOf<'store_syncs'>;

interface Key {
  connection_id: number;
  task: SyncTask;
}

const start = rowQuery<Key & { since_at: number; due_at: number }, SyncRow>((db, row) =>
  db
    .insertInto('store_syncs')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['connection_id', 'task']).doUpdateSet({
        since_at: row.since_at,
        page: null,
        begun_at: null,
        due_at: row.due_at,
        lease: '',
        failures: 0,
        done: 0,
        changed: 0,
        total: null,
      }),
    )
    .returningAll(),
);

export const findSync = findIn('store_syncs', 'connection_id', 'task');

/** There are two rows per connection at most, so the table is read without an index. */
const ofTask = query<{ task: SyncTask }, SyncRow>((db, p) =>
  db.selectFrom('store_syncs').selectAll().where('task', '=', p.task),
);

export const listDueSyncs = readAll<{ now: number }, Key>((db, p) =>
  db
    .selectFrom('store_syncs')
    .innerJoin('store_connections', 'store_connections.id', 'store_syncs.connection_id')
    .select(['connection_id', 'task'])
    .where('store_syncs.due_at', '<=', p.now)
    .where('store_connections.state', 'in', ['connected', 'degraded', 'failed']),
);

/** Takes the lease, and begins a run if none is under way. */
const claim = query<Key & { lease: string; now: number; until: number }, SyncRow>((db, p) =>
  db
    .updateTable('store_syncs')
    .set({
      lease: p.lease,
      due_at: p.until,
      done: sql<number>`case when begun_at is null then 0 else done end`,
      changed: sql<number>`case when begun_at is null then 0 else changed end`,
      begun_at: sql<number>`coalesce(begun_at, ${instant(p.now)})`,
    })
    .where('connection_id', '=', p.connection_id)
    .where('task', '=', p.task)
    .where('due_at', '<=', p.now)
    .returningAll(),
);

const renew = query<Key & { lease: string; until: number }>((db, p) =>
  db
    .updateTable('store_syncs')
    .set({ due_at: p.until })
    .where('connection_id', '=', p.connection_id)
    .where('task', '=', p.task)
    .where('lease', '=', p.lease),
);

const progress = [
  'since_at',
  'page',
  'begun_at',
  'due_at',
  'failures',
  'done',
  'changed',
  'total',
  'finished_at',
] as const;

/** Saves the progress and ends the lease, if this process still has it. */
const save = query<SyncRow & { keep: number }>((db, p) =>
  db
    .updateTable('store_syncs')
    .set({
      ...only(p, progress),
      lease: '',
      catching_up: sql<number>`catching_up * ${p.keep}`,
    })
    .where('connection_id', '=', p.connection_id)
    .where('task', '=', p.task)
    .where('lease', '=', p.lease),
);

/**
 * Makes all connections due now, and notes that they may have missed deliveries. Only those that run by themselves, so
 * none that nothing is read from.
 */
export const markCatchingUp = write<{ now: number }>((db, p) =>
  db
    .updateTable('store_syncs')
    .set({
      catching_up: 1,
      due_at: sql<number>`case when lease = '' then ${instant(p.now)} else due_at end`,
    })
    .where('task', '=', 'reconcile')
    .where('due_at', 'is not', null),
);

/** Restarts the task now. What a run has read before is read again. */
export async function startSync(
  tx: Transaction,
  key: Key,
  { sinceMs, dueMs }: { sinceMs: number; dueMs: number },
): Promise<SyncRow> {
  return (await tx.first(start, { ...key, since_at: sinceMs, due_at: dueMs }))!;
}

/** The runs of all connections, by connection. */
export async function listSyncs(db: Reader, task: SyncTask): Promise<Map<number, SyncRow>> {
  return new Map((await db.all(ofTask, { task })).map((row) => [row.connection_id, row]));
}

/** Undefined if nothing is due, or another process has the lease. */
export function claimSync(
  tx: Transaction,
  key: Key,
  given: { lease: string; now: number; until: number },
): Promise<SyncRow | undefined> {
  return tx.first(claim, { ...key, ...given });
}

/** Returns whether this process still has the lease. */
export async function renewLease(
  tx: Transaction,
  { connection_id, task, lease }: SyncRow,
  until: number,
): Promise<boolean> {
  return (await tx.run(renew, { connection_id, task, lease, until })) === 1;
}

/** Returns whether this process still had the lease. */
export async function saveSync(tx: Transaction, row: SyncRow): Promise<boolean> {
  // A run that is complete has caught up.
  return (await tx.run(save, { ...row, keep: Number(row.begun_at !== null) })) === 1;
}
