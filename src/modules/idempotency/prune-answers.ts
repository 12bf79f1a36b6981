import type { Job } from '../../kernel/job.ts';
import { removeAnswersBefore } from './answer-store.ts';
import { keptSince } from './kept-answers.ts';

export const pruneAnswers: Job = {
  name: 'idempotency.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: (site) => removeAnswersBefore(site.database, keptSince(site)),
};
