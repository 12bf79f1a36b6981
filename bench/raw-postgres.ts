import { createHash } from 'node:crypto';
import pg from 'pg';
import { connectionOptions } from '../src/db/postgres/connection.ts';
import type { Store } from './engine.ts';
import type { RawWriter } from './raw-writer.ts';
import type { Recorded } from './recorded.ts';

/** The service has as many connections for transactions. */
const CONNECTIONS = 8;

/**
 * Sends one statement after another, each waiting for the result of the previous one, as pgbench
 * does.
 */
export class RawPostgres implements RawWriter {
  readonly #clients: pg.Client[];
  readonly #names = new Map<string, string>();

  private constructor(clients: pg.Client[]) {
    this.#clients = clients;
  }

  static async open(store: Store): Promise<RawPostgres> {
    const options = connectionOptions(store.databaseUrl);
    const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(options));
    // The failing statement reports the error.
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => client.connect()));
    return new RawPostgres(clients);
  }

  async one(writes: readonly Recorded[], atOnce: number): Promise<number> {
    const left = writes.toReversed();
    const startedMs = performance.now();
    const drive = async (client: pg.Client) => {
      for (let next = left.pop(); next; next = left.pop()) await this.#commit(client, next);
    };
    await Promise.all(this.#clients.slice(0, atOnce).map(drive));
    return writes.length / ((performance.now() - startedMs) / 1000);
  }

  batches(writes: readonly Recorded[]): Promise<number> {
    return this.one(writes, 1);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  async #commit(client: pg.Client, statements: Recorded): Promise<void> {
    // Not awaited: the service too pipelines the first statement after it.
    const began = client.query('begin');
    for (const { sql, values } of statements) {
      await client.query({ name: this.#nameOf(sql), text: sql, values, rowMode: 'array' });
    }
    await began;
    await client.query('commit');
  }

  /** Prepared under this name once per connection. */
  #nameOf(sql: string): string {
    let name = this.#names.get(sql);
    if (name === undefined) {
      name = createHash('sha256').update(sql).digest('hex').slice(0, 20);
      this.#names.set(sql, name);
    }
    return name;
  }
}
