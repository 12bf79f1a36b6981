import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBrowserTest } from '../browser/test-files.ts';
import { redisOnly } from '../redis/test-files.ts';
import { addonFacts } from '../support/addon-facts.ts';
import { repeats } from './repeats.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files that have no test without a server. */
export const serverOnly = [
  'test/postgres/corrected-clock.test.ts',
  'test/postgres/database-clock.test.ts',
  'test/postgres/instances.test.ts',
  'test/postgres/lists-in-statements.test.ts',
  'test/postgres/lost-commits.test.ts',
  'test/postgres/several-servers.test.ts',
  'test/postgres/tls.test.ts',
  ...globSync('addons/*/test/postgres/*.test.ts', { cwd: root }),
  ...redisOnly,
  ...addonFacts.flatMap((facts) => facts.serverOnly ?? []),
];

/** Tests that open a database and still run on SQLite alone, each with its reason. */
export const onlyOnSqlite: Record<string, string> = {
  'test/security-docs.test.ts': 'is about documents',
  'test/process/npm-dev.test.ts':
    'is about the workshop of the front end, which no database changes',
  'test/process/systemd-start.test.ts':
    'starts the program as systemd does, with nothing in its environment that names a server',
  'test/deploy/monitoring.test.ts':
    'compares with the metrics of a database file, which has all there are',
  'src/tools/generate/bulk-orders.test.ts': 'compares whole tables by reading the database file',
  'src/db/sqlite/group-commit.test.ts': 'is about the one connection that writes to a file',
  'test/process/demo.test.ts':
    'the demo has a file of its own always; that it keeps off a server is in beside-server.test.ts',
  'src/worker/worker.test.ts': 'moves the clock by hand, and the timers of a driver with it',
  'test/growth/growth.test.ts': 'counts the instructions of SQLite, which plans otherwise',
  'test/growth/verify-slices.test.ts':
    'counts the instructions of SQLite; a server reads beside the event loop',
  'src/db/sqlite/planner-statistics.test.ts': 'is about the statistics of SQLite',
  'src/db/sqlite/open-sqlite.test.ts': 'is about the file and its log',
  'src/db/sqlite/long-reads.test.ts':
    'is about threads that read the file; connections for long statements are in connection.test.ts',
  'test/process/replaced-database.test.ts': 'is about the file and its log',
  'test/process/other-writer.test.ts': 'is about the one write lock of a file',
  'test/clients/clients.test.ts': 'is about generated clients, which no database changes',
  'test/access-matrix.test.ts':
    'is about who may call what, which is decided before an operation asks its database',
  'test/exact-input.test.ts': 'is about reading input, before any database is asked',
  'test/process/import.test.ts':
    'is about reading files; that an import reaches a server is in import-kill.test.ts',
  'test/process/import-from.test.ts':
    'is about the command; that such an import reaches a server is in src/modules/imports/from',
  'test/walks/first-run.test.ts': 'is about the first steps of the README, which start on a file',
  'src/modules/mail/own-texts.test.ts': 'is about files',
  'test/proxies.test.ts': 'is about HTTP, before any database is asked',
  'test/process/start-refusals.test.ts':
    'is about certificates, folders and database files; a server that refuses is in connection.test.ts',
  'test/process/webhook-commands.test.ts':
    'is about the commands; the operations behind them run on a server in their own tests',
  'test/process/package.test.ts': 'is about what is in the package, not about the database',
  'test/sdk/package.test.ts': 'is about what is in the package of the client',
  'test/process/old-node.test.ts': 'is about the Node that starts the program',
  'test/process/npm-start.test.ts': 'is about the signals that npm passes on',
  'test/process/log-format.test.ts': 'is about how log lines look',
  'test/process/help.test.ts': 'is about the commands there are, not about what they do',
  'test/process/documented-commands.test.ts': 'is about the commands that the documents name',
  'test/process/webhook-snippets.test.ts': 'is about receivers, which no database changes',
  'test/deploy/dockerfile.test.ts': 'is about the files that the build reads',
  'test/deploy/healthchecks.test.ts': 'is about commands that ask /readyz, not about its answer',
  'test/deploy/systemd-unit.test.ts': 'is about the unit file, which names no database',
  'test/deploy/nginx.test.ts': 'is about the proxy before the service',
  'test/deploy/prometheus.test.ts': 'is about Prometheus and the rules it is given',
  'test/connections.test.ts': 'is about sockets, before any database is asked',
  'test/pipelining.test.ts': 'is about sockets, before any database is asked',
  'test/linear-work.test.ts': 'is about reading input, before any database is asked',
  'test/event-loop.test.ts': 'is about the work of one process, which waits while a server works',
  'test/http-manners.test.ts': 'is about HTTP, before any database is asked',
  'test/http-answers.test.ts': 'is about HTTP, after a database has answered',
  'test/compression.test.ts': 'is about HTTP, after a database has answered',
  'src/modules/reference/get-openapi.test.ts': 'is about a document made from declarations',
  'src/modules/reference/openapi-document.test.ts': 'is about a document made from declarations',
  'src/modules/reference/show-reference.test.ts': 'is about pages made from declarations',
  'src/modules/store-profile/web-off.test.ts': 'is about which pages are served',
  'src/modules/web/get-web-file.test.ts': 'is about files',
  'src/modules/pages/show-portal.test.ts': 'is about a page that asks no database',
  'src/modules/pages/show-console.test.ts': 'is about a page that asks no database',
  'src/installation/served-certificate.test.ts': 'is about the certificate of the connection',
};

const opensDatabase = /\bopenApp\b|\bopenSqlite\b|\bSqliteConnection\b|\bbin\/tributary\b/;

/** Which test files run on a server, and what the others are. */
export function testFiles(): { onServer: string[]; onFileOnly: string[]; without: string[] } {
  const files = ['src', 'addons', 'test', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name).replaceAll(sep, '/'))
      .sort(),
  );
  const explained = [...Object.keys(onlyOnSqlite), ...repeats];
  const outdated = explained.filter((file) => !files.includes(file));
  if (outdated.length > 0)
    throw new Error(`A reason for what is not there: ${outdated.join(', ')}`);
  const onFileOnly = files.filter((file) => reasonFor(file) !== undefined);
  const rest = files.filter((file) => !onFileOnly.includes(file));
  const onServer = rest.filter((file) => reaches(file, 'test/postgres/databases.ts'));
  const without = rest.filter((file) => !onServer.includes(file));
  const unexplained = without.filter((file) => opensDatabase.test(read(file)));
  if (unexplained.length > 0) {
    throw new Error(`Not run on PostgreSQL, and nothing says why: ${unexplained.join(', ')}`);
  }
  return { onServer, onFileOnly, without };
}

export function reasonFor(file: string): string | undefined {
  if (isBrowserTest(file)) return 'is about what a browser shows, which no database changes';
  return onlyOnSqlite[file];
}

const OF_TESTS = /^(?:addons\/[^/]+\/)?test\//;

/** Whether a test imports a file of the tests, by itself or through another one. */
function reaches(file: string, target: string, seen = new Set<string>()): boolean {
  if (file === target) return true;
  if (seen.has(file) || (seen.size > 0 && !OF_TESTS.test(file))) return false;
  seen.add(file);
  const imports = [...read(file).matchAll(/\bfrom '(\.[^']+\.ts)'/g)].map(([, path]) =>
    relative(root, join(root, dirname(file), path!)).replaceAll(sep, '/'),
  );
  return imports.some((path) => reaches(path, target, seen));
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
