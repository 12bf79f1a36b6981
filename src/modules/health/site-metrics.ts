import type { JobFigures } from '../../kernel/declare/job.ts';
import { defineMetrics, gauge, counter, type Sample } from '../../kernel/declare/metric.ts';
import { VERSION } from '../../shared/version.ts';
import { readinessChecks } from './get-readiness.ts';

const buildMetrics = defineMetrics(
  {
    build: gauge(
      'tributary_build_info',
      'Always 1; the labels are the version, the edition and the database.',
      ['version', 'edition', 'database'],
    ),
  },
  ({ edition, database }) => ({
    build: [{ labels: { version: VERSION, edition, database: database.dialect.name }, value: 1 }],
  }),
);

const readinessMetrics = defineMetrics(
  {
    ready: gauge('tributary_ready', 'Checks of /readyz: 1 if passed, otherwise 0.', ['check']),
  },
  async (site) => ({
    ready: Object.entries(await readinessChecks(site)).map(([check, result]) => ({
      labels: { check },
      value: result === 'ok' ? 1 : 0,
    })),
  }),
);

const statementMetrics = defineMetrics(
  {
    run: counter(
      'tributary_database_statements_total',
      'Number of SQL statements run by this process.',
    ),
  },
  ({ database }) => ({ run: database.queriesRun() }),
);

const storageMetrics = defineMetrics(
  {
    size: gauge('tributary_database_size_bytes', 'Size of the database.'),
    log: gauge(
      'tributary_database_wal_bytes',
      'Size of the write-ahead log; absent for a database server.',
    ),
    left: gauge(
      'tributary_disk_free_bytes',
      'Free space on the disk of the database file; absent for a database server.',
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
      'Days until the TLS certificate expires; absent if a proxy serves it.',
    ),
  },
  ({ certificate }) => ({ days: certificate?.daysLeft() }),
);

/** The label is `task`, because Prometheus adds its own label `job`. */
const jobMetrics = defineMetrics(
  {
    runs: counter('tributary_job_runs_total', 'Runs of background jobs in this process.', ['task']),
    failures: counter(
      'tributary_job_failures_total',
      'Failed runs of background jobs in this process.',
      ['task'],
    ),
    interval: gauge('tributary_job_interval_seconds', 'Configured interval of a background job.', [
      'task',
    ]),
    succeeded: gauge(
      'tributary_job_last_success_timestamp_seconds',
      'Unix time of the last successful run of a background job; absent if it has not run in this process.',
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

/** Metrics of the installation. */
export const siteMetrics = [
  buildMetrics,
  readinessMetrics,
  statementMetrics,
  storageMetrics,
  certificateMetrics,
  jobMetrics,
];
