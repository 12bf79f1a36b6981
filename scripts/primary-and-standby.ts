import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { onServer } from '../test/postgres/databases.ts';
import { NOBODY, startPrivateServer, type PrivateServer } from '../test/postgres/server.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/free-port.ts';

/** As on a server of its own: every commit is synced to the disk. */
const SETTINGS = { shared_buffers: '64MB', max_connections: '100', wal_keep_size: '512MB' };

interface Place {
  readonly folder: string;
  readonly port: number;
}

/** Two servers of PostgreSQL that change places: one takes changes, the other receives each before it is acknowledged. */
export class PrimaryAndStandby {
  #primary: Place;
  #standby: Place;
  readonly #running = new Map<Place, PrivateServer>();

  private constructor(primary: Place, standby: Place) {
    this.#primary = primary;
    this.#standby = standby;
  }

  static async start(folder: string): Promise<PrimaryAndStandby> {
    const place = async (name: string) => ({ folder: join(folder, name), port: await freePort() });
    const pair = new PrimaryAndStandby(await place('one'), await place('two'));
    await pair.#run(pair.#primary);
    return pair;
  }

  /** Of one database on whichever of them is the primary. */
  address(database: string): string {
    const hosts = [this.#primary, this.#standby].map(({ port }) => `127.0.0.1:${port}`).join();
    return `postgres://tests@${hosts}/${database}?target_session_attrs=read-write`;
  }

  /** Runs statements on the primary and returns the rows of the last. */
  onPrimary(database: string, ...statements: string[]): Promise<unknown[]> {
    return onServer(urlOf(this.#primary, database), ...statements);
  }

  async killPrimary(): Promise<void> {
    await this.#running.get(this.#primary)!.kill();
  }

  async promoteStandby(): Promise<void> {
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.onPrimary('postgres', 'select pg_promote(true)');
  }

  /** Copies the primary to the place of the other server, starts it, and waits until commits wait for it. */
  async rebuildStandby(): Promise<void> {
    const data = join(this.#standby.folder, 'data');
    rmSync(data, { recursive: true, force: true });
    const client = new pg.Client(urlOf(this.#primary, 'postgres'));
    await client.connect();
    // What pg_basebackup does, which the package of npm lacks.
    await client.query(`select pg_backup_start('standby', true)`);
    spawnSync('mkdir', ['-p', this.#standby.folder]);
    // A file that is removed during the copy is missing in it, as it may be.
    spawnSync('cp', ['-a', join(this.#primary.folder, 'data'), data]);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    await client.end();
    for (const name of ['pg_wal', 'postmaster.pid', 'postmaster.opts']) {
      rmSync(join(data, name), { recursive: true, force: true });
    }
    spawnSync('mkdir', [join(data, 'pg_wal')]);
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
    writeFileSync(join(data, 'standby.signal'), '');
    appendFileSync(
      join(data, 'postgresql.auto.conf'),
      // Once promoted it has no standby, and does not wait for one.
      `\nprimary_conninfo = 'host=127.0.0.1 port=${this.#primary.port} user=tests'\nsynchronous_standby_names = ''\n`,
    );
    const files = ['pg_wal', 'backup_label', 'standby.signal'].map((name) => join(data, name));
    if (process.getuid?.() === 0) for (const file of files) chownSync(file, NOBODY, NOBODY);
    await this.#run(this.#standby);
    await this.onPrimary(
      'postgres',
      `alter system set synchronous_standby_names = '*'`,
      'select pg_reload_conf()',
    );
    await eventually(async () => {
      const standbys = `select from pg_stat_replication where sync_state = 'sync'`;
      if ((await this.onPrimary('postgres', standbys)).length !== 1) throw new Error('not in sync');
    });
  }

  async stop(): Promise<void> {
    for (const place of [this.#primary, this.#standby]) await this.#running.get(place)?.kill();
  }

  async #run(place: Place): Promise<void> {
    const { folder, port } = place;
    const server = await startPrivateServer({ keptIn: folder, port, settings: SETTINGS });
    this.#running.set(place, server);
  }
}

function urlOf({ port }: Place, database: string): string {
  return `postgres://tests@127.0.0.1:${port}/${database}`;
}
