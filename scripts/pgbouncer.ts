import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onServer } from '../test/postgres/databases.ts';
import { NOBODY } from '../test/postgres/server.ts';
import { findProgram, programEnvironment } from '../test/support/debian-packages.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/free-port.ts';

/** The first version that supports prepared statements in transaction mode. */
const VERSION_MIN = 1.21;
const POOL_SIZE = 4;

export interface Pooler {
  readonly version: string;
  /** How many connections to the server it opens at most. */
  readonly poolSize: number;
  url(database: string): string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in transaction mode in front of a server, as docs/operating.md says. */
export async function startPgBouncer(server: string, folder: string): Promise<Pooler> {
  const program = findProgram({
    names: ['pgbouncer'],
    debianPackage: 'pgbouncer',
    pathInPackage: 'sbin/pgbouncer',
  });
  const env = programEnvironment(program);
  const told = spawnSync(program.path, ['--version'], { env, encoding: 'utf8' }).stdout;
  const version = /\d+\.\d+(\.\d+)?/.exec(told)?.[0] ?? '0';
  if (Number.parseFloat(version) < VERSION_MIN) {
    throw new Error(
      `${program.path} is PgBouncer ${version}; put ${VERSION_MIN} or later on the PATH`,
    );
  }
  const { hostname, port, username } = new URL(server);
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_prepared_statements = 200
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options
`,
  );
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(program.path, ['--quiet', file], { ...owner, env, stdio: 'inherit' });
  const stopNow = () => child.kill('SIGKILL');
  process.once('exit', stopNow);
  const url = (database: string) => `postgres://${username}@127.0.0.1:${own}/${database}`;
  await eventually(() => onServer(url('postgres'), 'select 1'));
  return {
    version,
    poolSize: POOL_SIZE,
    url,
    async stop() {
      process.off('exit', stopNow);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
