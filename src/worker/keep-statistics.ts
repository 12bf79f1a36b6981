import type { Job } from '../kernel/declare/job.ts';

/** Keeps the statistics of the database up to date while a store grows. PostgreSQL does so itself. */
export const keepStatistics: Job = {
  name: 'database.statistics',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  async run({ database }) {
    if (!database.dialect.analyzesItself) await database.updateStatistics();
  },
};
