import { defineModule } from '../../kernel/declare/module.ts';
import { cancelTrial, getTrial } from './get-trial.ts';
import { creating } from '../../db/create-tables.ts';
import { tables } from './tables.ts';
import { runTrials } from './run-trials.ts';
import { startTrial, trialRunning } from './start-trial.ts';
import { tryRunning } from './try-running.ts';

export const rewardTrialsModule = defineModule({
  name: 'reward-trials',
  summary: 'Dry runs of changed rewards on the orders of a period',
  addon: false,
  operations: [startTrial, getTrial, cancelTrial, tryRunning],
  jobs: [runTrials],
  errors: [trialRunning],
  migrations: [creating('reward-trials/0001-trials', tables)],
});
