import { creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { runTrials } from './run-trials.ts';
import { tables } from './tables.ts';
import { cancelTrial, getTrial, startTrial, trialRunning, tryRunning } from './trial-operations.ts';

export const rewardTrialsModule = defineModule({
  name: 'reward-trials',
  summary: 'Dry runs of changed rewards on the orders of a period',
  addon: false,
  operations: [startTrial, getTrial, cancelTrial, tryRunning],
  jobs: [runTrials],
  errors: [trialRunning],
  migrations: [creating('reward-trials/0001-trials', tables)],
});
