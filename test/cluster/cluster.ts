import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { makeDatabase, onServer } from '../postgres/databases.ts';
import { copyFolder, installedBefore, storeSettings } from '../process/installed.ts';
import { tempFolder } from '../process/launch.ts';
import { installBy } from '../process/run.ts';
import {
  startServer,
  type CallOptions,
  type Reply,
  type Server,
} from '../process/running-server.ts';

export const STORE = '~/svc/store/v1';
export const INSTANCES = 4;
/** How often in succession a request may find no instance: they are killed, but never all at once. */
const GONE_MAX = 200;

/**
 * Four real processes on one database, each with a data folder of its own that holds the secret and
 * nothing else, as on four machines.
 */
export class Cluster {
  readonly key: string;
  readonly #env: Record<string, string>;
  readonly #folders: string[];
  readonly #servers: (Server | undefined)[];
  #next = 0;

  constructor(key: string, env: Record<string, string>, folders: string[], servers: Server[]) {
    this.key = key;
    this.#env = env;
    this.#folders = folders;
    this.#servers = servers;
  }

  static async open(
    server: string,
    { settings, env }: { settings: Record<string, unknown>; env: Record<string, string> },
  ): Promise<Cluster> {
    let drop = async () => {};
    after(() => drop());
    const installed = installedBefore();
    const template = installed?.template;
    const made = await makeDatabase(server, template ? { template } : { empty: true });
    drop = made.drop;
    const all = { ...env, DATABASE_URL: made.url };
    const folders = Array.from({ length: INSTANCES }, () => join(tempFolder(), 'data'));
    const [first, ...others] = folders;
    if (installed) {
      copyFolder(installed, first!);
      await storeSettings(first!, made.url, settings);
    }
    const key = installed?.key ?? (await installBy(first!, settings, all));
    for (const other of others) {
      mkdirSync(other, { mode: 0o700 });
      copyFileSync(dataFolder(first!).secretFile, dataFolder(other).secretFile);
    }
    const servers = await Promise.all(folders.map((folder) => startInstance(folder, all)));
    return new Cluster(key, all, folders, servers);
  }

  /** The instances that run now. */
  get running(): Server[] {
    return this.#servers.filter((server) => server !== undefined);
  }

  /** Asks one of them, in turn. */
  call(path: string, options: CallOptions = {}): Promise<Reply> {
    const { running } = this;
    return this.ask(running[this.#next++ % running.length]!, path, options);
  }

  /** Asks the one, as the proxy before it would. */
  ask(server: Server, path: string, options: CallOptions = {}): Promise<Reply> {
    const headers = { 'x-forwarded-proto': 'https', ...options.headers };
    return server.call(path, { key: this.key, ...options, headers });
  }

  /** Repeats the request at other instances until one answers. */
  async persist(path: string, options: CallOptions): Promise<Reply> {
    for (let gone = 0; ; gone += 1) {
      try {
        return await this.call(path, options);
      } catch (error) {
        if (gone === GONE_MAX) throw error;
      }
    }
  }

  /** All of them, at the same moment. */
  askEach(path: string, options: CallOptions = {}): Promise<Reply[]> {
    return Promise.all(this.running.map((server) => this.ask(server, path, options)));
  }

  /** Ends one of them without a warning. */
  async kill(index: number): Promise<void> {
    const server = this.#servers[index]!;
    this.#servers[index] = undefined;
    assert.equal((await server.stop('SIGKILL')).signal, 'SIGKILL');
  }

  get databaseUrl(): string {
    return this.#env['DATABASE_URL']!;
  }

  /** Past the service: the rows of a statement. */
  rows<R = Record<string, unknown>>(statement: string): Promise<R[]> {
    return onServer(this.databaseUrl, statement) as Promise<R[]>;
  }

  /** What is known of the deliveries of some events: where they did not arrive, that tells why. */
  async deliveriesOf(webhook: number, events: readonly { id: number }[]): Promise<unknown> {
    const ids = events.map(({ id }) => id);
    const rows = await this.rows(`select * from webhook_deliveries
      where webhook_id = ${webhook} and event_id in (${ids.join()})`);
    const [state] = await this.rows(`select status, failures, events, from_event,
      (select position from cursors where name = 'webhooks') as position, (select max(id) from events) as head,
      (select json_agg(leases) from leases) as leases from webhooks where id = ${webhook}`);
    return { ids, rows, state, now: Date.now() };
  }

  /** Which of them does a job now. */
  async workerOf(job: string): Promise<number> {
    const [lease] = await this.rows(`select holder from leases where name = '${job}'`);
    const pid = Number(String(lease!['holder']).split(' ').at(-2));
    const index = this.#servers.findIndex((server) => server?.child.pid === pid);
    assert.notEqual(index, -1, `no instance runs ${job}`);
    return index;
  }

  /** Time passes for the jobs that dead ones held; those of the living stay theirs. */
  async endLeasesOfTheDead(): Promise<void> {
    const living = this.running.map(({ child }) => `and holder not like '% ${child.pid} %'`);
    await this.rows(`update leases set until = 0 where true ${living.join(' ')}`);
  }

  async start(index: number): Promise<void> {
    this.#servers[index] = await startInstance(this.#folders[index]!, this.#env);
  }

  async stop(): Promise<void> {
    for (const { code } of await Promise.all(this.running.map((server) => server.stop()))) {
      assert.equal(code, 0);
    }
  }

  /** What `./tributary verify` finds wrong with the books. */
  async differences(): Promise<unknown[]> {
    const { body } = await this.call(`${STORE}/ledger/verify`);
    return body.differences;
  }
}

function startInstance(folder: string, env: Record<string, string>): Promise<Server> {
  return startServer(folder, ['--tls', 'off', '--trusted-proxies', '127.0.0.1'], { env });
}
