import pg, { type ClientConfig } from 'pg';
import { addressesOf } from '../database-address.ts';
import { connectionOptions } from './connection.ts';

/**
 * The servers of an address: a primary and its standbys. Which of them is the primary changes while the service runs,
 * so each new connection asks. The driver knows one server only.
 */
export class Servers {
  readonly #options: readonly ClientConfig[];
  #primary: ClientConfig;
  /** No connection to it has failed since it was found. */
  #isKnown: boolean;
  #search: Promise<void> | undefined;

  constructor(address: string) {
    this.#options = addressesOf(address).map(connectionOptions);
    this.#primary = this.#options[0]!;
    this.#isKnown = this.#options.length === 1;
  }

  /** Connects to the primary. */
  connect(): Promise<pg.Client> {
    return this.#onPrimary(async () => {
      const client = new ServerClient(this.#choice());
      await client.connect();
      return client;
    });
  }

  /** A pool of connections to the primary. */
  pool(max: number): pg.Pool {
    const onPrimary = (connect: () => Promise<pg.PoolClient>) => this.#onPrimary(connect);
    const choose = () => this.#choice();
    class PrimaryPool extends pg.Pool {
      override connect(): Promise<pg.PoolClient> {
        return onPrimary(() => super.connect());
      }
    }
    class Client extends ServerClient {
      constructor() {
        super(choose());
      }
    }
    const pool = new PrimaryPool({ ...this.#primary, max, Client });
    // It replaces a connection that is lost while idle.
    pool.on('error', () => {});
    return pool;
  }

  /** Looks for the primary if a connection to it failed, before or in this attempt. */
  async #onPrimary<T>(attempt: () => Promise<T>): Promise<T> {
    if (!this.#isKnown) await this.#find();
    try {
      return await attempt();
    } catch (error) {
      if (this.#isKnown) throw error;
    }
    await this.#find();
    return attempt();
  }

  /** One search for all that wait. */
  #find(): Promise<void> {
    return (this.#search ??= this.#askAll().finally(() => (this.#search = undefined)));
  }

  /** At the same time: a machine that is switched off answers nothing for seconds. */
  async #askAll(): Promise<void> {
    const asked = this.#options.map(async (options) => {
      const client = new ServerClient({ options, asks: true });
      await client.connect();
      client.leave();
      return options;
    });
    try {
      this.#primary = await Promise.any(asked);
    } catch (error) {
      const { errors } = error as AggregateError;
      throw errors.find((one) => one instanceof NotPrimary) ?? errors[0];
    }
    this.#isKnown = true;
  }

  #choice(): Choice {
    const options = this.#primary;
    if (this.#options.length === 1) return { options, asks: false };
    const failed = () => {
      if (this.#primary === options) this.#isKnown = false;
    };
    return { options, asks: true, failed };
  }
}

interface Choice {
  readonly options: ClientConfig;
  /** Connecting fails if the server accepts no changes. */
  readonly asks: boolean;
  readonly failed?: () => void;
}

class ServerClient extends pg.Client {
  readonly #choice: Choice;

  constructor(choice: Choice) {
    super(choice.options);
    this.#choice = choice;
    // Statements that run when the connection is lost fail; between two of them this is the only listener.
    this.on('error', () => {});
  }

  /** The pool gives a callback. */
  override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> {
    const connecting = this.#connect();
    const call = callback as ((error?: unknown) => void) | undefined;
    if (call) connecting.then(() => call(), call);
    return connecting;
  }

  /** Ends the connection, and waits for nothing. */
  leave(): void {
    void this.end().catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    try {
      await super.connect();
      if (this.#choice.asks) await this.#requirePrimary();
      return this;
    } catch (error) {
      this.#choice.failed?.();
      this.leave();
      throw error;
    }
  }

  async #requirePrimary(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>(
      'show transaction_read_only',
    );
    if (rows[0]!.transaction_read_only !== 'off') throw new NotPrimary();
  }
}

/** With the code that PostgreSQL itself has for a change on a standby. */
class NotPrimary extends Error {
  readonly code = '25006'; // read_only_sql_transaction
  override message = 'none of its servers accepts changes';
}
