import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const trialStates = ['running', 'done', 'failed', 'cancelled'] as const;
export type TrialState = (typeof trialStates)[number];

export const tables = {
  /** Trials of changed rewards, with what they found; each for a day. */
  reward_trials: table({
    id: id(),
    state: text<TrialState>(),
    /** What is tried, JSON. */
    plan: text(),
    /** The share that is done, in thousandths. */
    progress: integer().default(0),
    /** What was found, JSON; null until it is done. */
    result: text().orNull(),
    /** The process that computes it; empty until one does. */
    holder: text().default(''),
    /** When that process was last seen, or when the trial was requested. */
    seen_at: integer(),
    created_at: integer(),
  })
    .index('by_state', ['state', 'id'])
    .index('by_age', ['created_at']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
