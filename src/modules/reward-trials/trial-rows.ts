import { sql } from 'kysely';
import { insertOne, readByNumbers, readFirst, write, writeOne } from '../../db/statements/calls.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import type { RowOf } from '../../db/tables.ts';
import type { TrialState } from './tables.ts';

export type TrialRow = RowOf<'reward_trials'>;

export const insertTrial = insertOne<
  Pick<TrialRow, 'state' | 'plan' | 'seen_at' | 'created_at' | 'result'>,
  { id: number; state: TrialState }
>((db, row) => db.insertInto('reward_trials').values(row).returning(['id', 'state']));

export const findTrial = findIn('reward_trials', 'id');

/** The trial that runs or waits for a process. There is at most one that is alive. */
export const findRunning = readFirst<object, TrialRow>((db) =>
  db
    .selectFrom('reward_trials')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('id', 'desc')
    .limit(sql.lit(1)),
);

/** Lets a process compute a trial, unless another one does. */
export const claimTrial = writeOne<Pick<TrialRow, 'id' | 'holder' | 'seen_at'>>((db, p) =>
  db
    .updateTable('reward_trials')
    .set({ holder: p.holder, seen_at: p.seen_at })
    .where('id', '=', p.id)
    .where('state', '=', 'running')
    .where('holder', '=', ''),
);

/** Notes how far a trial is; false if it was cancelled, or given up. */
export const saveProgress = writeOne<Pick<TrialRow, 'id' | 'progress' | 'seen_at'>>((db, p) =>
  db
    .updateTable('reward_trials')
    .set({ progress: p.progress, seen_at: p.seen_at })
    .where('id', '=', p.id)
    .where('state', '=', 'running'),
);

/** Ends a trial that runs. */
export const endTrial = writeOne<Pick<TrialRow, 'id' | 'state' | 'result'>>((db, p) =>
  db
    .updateTable('reward_trials')
    .set({ state: p.state, result: p.result })
    .where('id', '=', p.id)
    .where('state', '=', 'running'),
);

export const findOutdated = readFirst<{ before: number }, { id: number }>((db, p) =>
  db
    .selectFrom('reward_trials')
    .select('id')
    .where('created_at', '<', p.before)
    .orderBy('created_at')
    .limit(sql.lit(1)),
);

export const deleteOutdated = write<{ before: number }>((db, p) =>
  db.deleteFrom('reward_trials').where('created_at', '<', p.before),
);

export const namesOf = readByNumbers<{ id: number; display_name: string; login: string }>(
  (db, isKey) => db.selectFrom('users').select(['id', 'display_name', 'login']).where(isKey('id')),
);
