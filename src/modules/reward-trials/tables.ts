import type { Generated } from 'kysely';

export const trialStates = ['running', 'done', 'failed', 'cancelled'] as const;
export type TrialState = (typeof trialStates)[number];

/** Trials of changed rewards, with what they found; each for a day. */
export interface RewardTrialsTable {
  id: Generated<number>;
  state: TrialState;
  /** What is tried, JSON. */
  plan: string;
  /** The share that is done, in thousandths. */
  progress: Generated<number>;
  /** What was found, JSON; null until it is done. */
  result: string | null;
  /** The process that computes it; empty until one does. */
  holder: Generated<string>;
  /** When that process was last seen, or when the trial was requested. */
  seen_at: number;
  created_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    reward_trials: RewardTrialsTable;
  }
}
