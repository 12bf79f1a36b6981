import { globSync } from 'node:fs';
import { browserTestFiles } from './browser/test-files.ts';
import { addonFacts, type Runs } from './support/addon-facts.ts';
import { suspicions, type Suspicion } from './suspicion/test-files.ts';

/**
 * Which run a test file belongs to. `npm test` is what a change waits for: at most eight minutes on two quiet cores.
 * `npm run test:all` runs every file on every database that it belongs on, and nothing is dropped: what `npm test` leaves
 * is listed here, each with the reason why it can wait. `node scripts/test.ts --list` prints the runs of every file.
 */
export type Database = 'SQLite' | 'PostgreSQL' | 'Redis' | Suspicion;

const runsOfAddons = addonFacts.flatMap(({ runs = [] }) => runs);

/** On SQLite: slow files that rarely fail while the others pass. */
const leftOnSqlite: Record<string, readonly string[]> = {
  'measures the work of all operations, which other tests run': [
    'test/event-loop.test.ts',
    'test/growth/growth.test.ts',
    'test/linear-work.test.ts',
  ],
  'runs each part of the benchmark once': ['test/bench/*.test.ts'],
  'packs, installs or deploys what the other tests run from the sources': [
    'test/clients/*.test.ts',
    'test/deploy/dockerfile.test.ts',
    'test/deploy/healthchecks.test.ts',
    'test/deploy/nginx.test.ts',
    'test/deploy/prometheus.test.ts',
    'test/process/old-node.test.ts',
    'test/process/package.test.ts',
    'test/sdk/package.test.ts',
    'examples/**/*.test.ts',
  ],
  'kills or stops processes again and again': [
    '{,addons/*/}test/process/*-kill.test.ts',
    'test/process/import.test.ts',
    'test/process/kill.test.ts',
    'test/process/stop.test.ts',
    'test/process/webhook-worker.test.ts',
    'test/walks/backup-restore.test.ts',
    'test/walks/disk-full.test.ts',
  ],
  'plays long random histories': [
    'src/modules/orders/order-sets.test.ts',
    'src/modules/reward-trials/exact-trials.test.ts',
    'src/tools/generate/bulk-orders.test.ts',
  ],
  'sends thousands of requests that must be refused': [
    'test/access-matrix.test.ts',
    'test/connections.test.ts',
    'test/exact-input.test.ts',
    'test/never-500.test.ts',
  ],
  'starts the program for a matter of the workshop': [
    'test/process/demo.test.ts',
    'test/process/npm-dev.test.ts',
    'test/process/npm-start.test.ts',
  ],
  'tries every control of one screen of the team, which test/browser/every-screen.test.ts opens': [
    'test/browser/console-orders.test.ts',
    'test/browser/console-overview.test.ts',
    'test/browser/console-rewards.test.ts',
    'test/browser/console-settings.test.ts',
    'test/browser/portal-rewards.test.ts',
  ],
  'looks at every screen once more, in other languages, roles or layouts': [
    'test/browser/amounts.test.ts',
    'test/browser/every-button.test.ts',
    'test/browser/every-role.test.ts',
    'test/browser/languages.test.ts',
    'test/browser/late-answers.test.ts',
    'test/browser/long-names.test.ts',
    'test/browser/reference.test.ts',
  ],
};

/** On PostgreSQL, `npm test` runs where databases differ. */
const differsOnPostgres: Record<string, readonly string[]> = {
  'transactions meet: locks and races': [
    'src/db/unit-of-work.test.ts',
    'src/modules/affiliates/create-affiliate.test.ts',
    'src/modules/coupons/hand-over.test.ts',
    'src/modules/groups/change-group.test.ts',
    'src/modules/idempotency/idempotency.test.ts',
    'src/modules/imports/import-files.test.ts',
    'src/modules/ledger/ledger.test.ts',
    'src/modules/orders/batch-orders.test.ts',
    'src/modules/orders/customers/set-owner.test.ts',
    'src/modules/orders/decided-when-counted.test.ts',
    'src/modules/registrations/change-registration-status.test.ts',
    'src/modules/registrations/submit-registration.test.ts',
    'src/modules/rewards/change-rule.test.ts',
    'src/modules/setup/setup.test.ts',
    'src/modules/stats/rebuild.test.ts',
    'test/decided/limits-at-once.test.ts',
    'test/feed-many-writers.test.ts',
    'test/lists-beside-writers.test.ts',
    'test/shared-reads.test.ts',
  ],
  'jobs of several instances claim rows': [
    'addons/webhooks/delivery/delivery-rows.test.ts',
    'src/modules/mail/send-mails.test.ts',
    'test/postgres/instances.test.ts',
  ],
  'compares and sorts texts': [
    'src/modules/affiliates/list-affiliates.test.ts',
    'src/modules/coupons/search-coupons.test.ts',
    'src/modules/events/search-events.test.ts',
    'src/modules/search/search.test.ts',
    'test/collections.test.ts',
    'test/email-addresses.test.ts',
    'test/table-keys.test.ts',
  ],
  'is about the schema, the statements or the connection': [
    'src/db/migrator.test.ts',
    'src/db/statements/in-batches.test.ts',
    'test/postgres/connection.test.ts',
    'test/postgres/database-clock.test.ts',
    'test/postgres/lists-in-statements.test.ts',
    'test/postgres/lost-commits.test.ts',
    'test/postgres/several-servers.test.ts',
    'test/schema/schema.test.ts',
    'test/screen-plans.test.ts',
    'test/upgrades/upgrades.test.ts',
  ],
};

const leftWithRedis: Record<string, readonly string[]> = {
  'runs four processes, or stops the server': [
    'test/cluster/*.test.ts',
    'test/redis/failures.test.ts',
    'test/redis/own-server.test.ts',
  ],
};

/** The files that play random commands, and how many they play before a release: hours, on SQLite. */
export const longHistories = {
  files: [
    'test/process/reward-kill.test.ts',
    'test/decided/decided.test.ts',
    'test/decided/hand-overs.test.ts',
    ...runsOfAddons.flatMap(({ longHistories: own = [] }) => own),
  ],
  environment: {
    TRIBUTARY_MODEL_COMMANDS: '200000',
    TRIBUTARY_PAYMENT_HISTORIES: '2000',
    TRIBUTARY_REWARD_HISTORIES: '100',
    DECIDED_HISTORIES: '500',
  },
};

interface Choice {
  run: 'test' | 'test:all';
  reason: string;
}

const left = {
  SQLite: reasonsOf(leftOnSqlite, ...runsOfAddons.map((runs) => runs.leftOnSqlite ?? {})),
  Redis: reasonsOf(leftWithRedis),
};
const chosenOnPostgres = reasonsOf(
  differsOnPostgres,
  ...runsOfAddons.map((runs) => runs.differsOnPostgres ?? {}),
);
const browserTests = new Set(browserTestFiles());

/** The run of a file on a database that it belongs on. */
export function runOf(file: string, database: Database): Choice {
  if (database === 'PostgreSQL') {
    const reason = chosenOnPostgres.get(file);
    return reason === undefined
      ? { run: 'test:all', reason: 'SQLite has shown it; databases differ little here' }
      : { run: 'test', reason };
  }
  if (isSuspicion(database)) return { run: 'test', reason: 'no add-on changes an answer of v2' };
  const reason = left[database].get(file);
  if (reason !== undefined) return { run: 'test:all', reason };
  if (database === 'Redis') return { run: 'test', reason: 'instances share it' };
  const usual = browserTests.has(file) ? 'a way of a person through screens' : 'the usual case';
  return { run: 'test', reason: usual };
}

function isSuspicion(database: Database): database is Suspicion {
  return suspicions.some((one) => one === database);
}

/** The reason of each file; throws for what names no file, or a file twice. */
function reasonsOf(...named: readonly NonNullable<Runs['leftOnSqlite']>[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const [reason, patterns] of named.flatMap((list) => Object.entries(list))) {
    for (const pattern of patterns) {
      const files = globSync(pattern).filter((file) => file.endsWith('.test.ts'));
      if (files.length === 0) throw new Error(`${pattern}: there is no such test file`);
      for (const file of files) {
        if (reasons.has(file)) throw new Error(`${file} is listed twice in test/runs.ts`);
        reasons.set(file, reason);
      }
    }
  }
  return reasons;
}
