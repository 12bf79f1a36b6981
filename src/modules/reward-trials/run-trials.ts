import { randomUUID } from 'node:crypto';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { dryRun, type DryRunPlan } from '../orders/index.ts';
import { TrialSums } from './trial-result.ts';
import {
  claimTrial,
  deleteOutdated,
  endTrial,
  findOutdated,
  findRunning,
  saveProgress,
  type TrialRow,
} from './trial-rows.ts';

const KEPT_MS = 24 * 60 * 60_000;
/** A process that computes says so more often. */
const LEASE_MS = 60_000;
const SAVE_EVERY_MS = 1_000;

/** Whether no process computes a trial any more. A time in the future is from before the clock was set back. */
export function isDead({ seen_at }: Pick<TrialRow, 'seen_at'>, nowMs: number): boolean {
  return seen_at < nowMs - LEASE_MS || seen_at > nowMs + LEASE_MS;
}

/** Computes the trial that waits, fails one whose process has ended, and removes old results. */
export const runTrials: Job = {
  name: 'rewards.trials',
  everyMs: 1_000,
  runsOn: 'one',
  async run(site) {
    const { database } = site;
    const nowMs = site.clock();
    const before = nowMs - KEPT_MS;
    if (await findOutdated(database.read, { before })) {
      await database.transaction((tx) => deleteOutdated(tx, { before }));
    }
    const trial = await findRunning(database.read);
    if (!trial) return;
    if (isDead(trial, nowMs)) await end(site, trial.id, 'failed');
    else if (trial.holder === '') await claimAndRun(site, trial);
  },
};

async function claimAndRun(site: Site, { id, plan }: TrialRow): Promise<void> {
  const claim = { id, holder: randomUUID(), seen_at: site.clock() };
  if (!(await site.database.transaction((tx) => claimTrial(tx, claim)))) return;
  const sums = new TrialSums();
  let savedMs = performance.now();
  const proceed = async (share: number) => {
    if (site.isStopping) return false;
    if (performance.now() - savedMs < SAVE_EVERY_MS) return true;
    savedMs = performance.now();
    const progress = Math.floor(Math.min(1, share) * 1_000);
    return site.database.transaction((tx) =>
      saveProgress(tx, { id, progress, seen_at: site.clock() }),
    );
  };
  try {
    // Only plans are stored there.
    for await (const { tried, share } of dryRun(site, JSON.parse(plan) as DryRunPlan)) {
      for (const one of tried) sums.add(one);
      if (!(await proceed(share))) return await end(site, id, 'failed');
    }
  } catch (error) {
    await end(site, id, 'failed');
    throw error;
  }
  await end(site, id, 'done', JSON.stringify(sums.result()));
}

/** A trial that was cancelled stays so. */
async function end(
  { database }: Site,
  id: number,
  state: 'done' | 'failed',
  result: string | null = null,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (state === 'done') await saveProgress(tx, { id, progress: 1_000, seen_at: 0 });
    await endTrial(tx, { id, state, result });
  });
}
