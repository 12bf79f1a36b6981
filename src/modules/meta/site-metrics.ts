import { defineMetrics, gauge, counter, type Sample } from '../../kernel/declare/metric.ts';
import type { JobFigures } from '../../kernel/declare/job.ts';
import { VERSION } from '../../shared/version.ts';
import { readinessChecks } from './get-readiness.ts';

const buildMetrics = defineMetrics(
  {
    build: gauge('tributary_build_info', 'Always 1: which version runs, and on what.', [
      'version',
      'edition',
      'database',
    ]),
  },
  ({ edition, database }) => ({
    build: [{ labels: { version: VERSION, edition, database: database.dialect.name }, value: 1 }],
  }),
);

const readinessMetrics = defineMetrics(
  {
    ready: gauge('tributary_ready', 'The checks of /readyz: 1 where one is passed, else 0.', [
      'check',
    ]),
  },
  async (site) => ({
    ready: Object.entries(await readinessChecks(site)).map(([check, result]) => ({
      labels: { check },
      value: result === 'ok' ? 1 : 0,
    })),
  }),
);

const statementMetrics = defineMetrics(
  { run: counter('tributary_database_statements_total', 'Statements that this process has run.') },
  ({ database }) => ({ run: database.queriesRun() }),
);

const storageMetrics = defineMetrics(
  {
    size: gauge('tributary_database_size_bytes', 'How much space the database takes.'),
    log: gauge(
      'tributary_database_wal_bytes',
      'The write-ahead log of a database file; a database on a server has its own.',
    ),
    left: gauge(
      'tributary_disk_free_bytes',
      'Space left on the disk of a database file; absent for a database on a server.',
    ),
  },
  async ({ database }) => {
    const { databaseBytes, logBytes } = await database.sizes();
    return { size: databaseBytes, log: logBytes, left: database.diskLeft() };
  },
);

const certificateMetrics = defineMetrics(
  {
    days: gauge(
      'tributary_certificate_days_left',
      'Days until the certificate expires that is served; absent where a proxy serves one.',
    ),
  },
  ({ certificate }) => ({ days: certificate?.daysLeft() }),
);

/** The label is `task`, since Prometheus has a label `job` of its own. */
const jobMetrics = defineMetrics(
  {
    runs: counter('tributary_job_runs_total', 'Runs of background jobs in this process.', ['task']),
    failures: counter('tributary_job_failures_total', 'Runs of background jobs that failed.', [
      'task',
    ]),
    interval: gauge('tributary_job_interval_seconds', 'How often a background job is to run.', [
      'task',
    ]),
    succeeded: gauge(
      'tributary_job_last_success_timestamp_seconds',
      'When a background job last succeeded in this process; absent before, and where another process runs it.',
      ['task'],
    ),
  },
  ({ worker }) => {
    const jobs = worker.jobs();
    const each = (value: (job: JobFigures) => number): Sample[] =>
      jobs.map((job) => ({ labels: { task: job.name }, value: value(job) }));
    return {
      runs: each((job) => job.runs),
      failures: each((job) => job.failures),
      interval: each((job) => job.everyMs / 1000),
      succeeded: jobs.flatMap(({ name, succeededMs }) =>
        succeededMs === undefined ? [] : [{ labels: { task: name }, value: succeededMs / 1000 }],
      ),
    };
  },
);

/** What concerns the installation as a whole. */
export const siteMetrics = [
  buildMetrics,
  readinessMetrics,
  statementMetrics,
  storageMetrics,
  certificateMetrics,
  jobMetrics,
];
