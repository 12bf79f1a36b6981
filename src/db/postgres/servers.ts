import pg, { type ClientConfig } from 'pg';
import { addressesOf } from '../database-address.ts';
import { connectionOptions } from './connection.ts';

/**
 * The servers of an address: a primary and its standbys. Which of them is the primary changes while the service runs,
 * so each new connection asks. The driver knows one server only.
 */
export class Servers {
  readonly #options: readonly ClientConfig[];
  /** The one that accepted the last connection, or the next one to try. */
  #current = 0;

  constructor(address: string) {
    this.#options = addressesOf(address).map(connectionOptions);
  }

  /** Connects to the primary. */
  connect(): Promise<pg.Client> {
    return this.#tryEach(async () => {
      const client = this.client();
      await client.connect();
      return client;
    });
  }

  /** For one attempt: connecting fails if it is not the primary, and the next one tries the next server. */
  client(): pg.Client {
    return new ServerClient(this.#choose());
  }

  /** A pool of connections to the primary. */
  pool(max: number): pg.Pool {
    const choose = () => this.#choose();
    const tryEach = (connect: () => Promise<pg.PoolClient>) => this.#tryEach(connect);
    class PrimaryPool extends pg.Pool {
      override connect(): Promise<pg.PoolClient> {
        return tryEach(() => super.connect());
      }
    }
    class Client extends ServerClient {
      constructor() {
        super(choose());
      }
    }
    const pool = new PrimaryPool({ ...this.#options[0], max, Client });
    // It replaces a connection that is lost while idle.
    pool.on('error', () => {});
    return pool;
  }

  /** Each server once, as long as the failures say that another one may be the primary. */
  async #tryEach<T>(attempt: () => Promise<T>): Promise<T> {
    for (let left = this.#options.length; ; left--) {
      const tried = this.#current;
      try {
        return await attempt();
      } catch (error) {
        if (left === 1 || tried === this.#current) throw error;
      }
    }
  }

  /** The server that is believed to be the primary. */
  #choose(): Choice {
    const server = this.#current;
    const options = this.#options[server]!;
    if (this.#options.length === 1) return { options };
    const moveOn = () => {
      // Others that failed at the same server have moved on already.
      if (this.#current === server) this.#current = (server + 1) % this.#options.length;
    };
    return { options, moveOn };
  }
}

interface Choice {
  readonly options: ClientConfig;
  /** Tries another server next time; absent if there is only one. */
  readonly moveOn?: () => void;
}

class ServerClient extends pg.Client {
  readonly #moveOn: (() => void) | undefined;

  constructor({ options, moveOn }: Choice) {
    super(options);
    this.#moveOn = moveOn;
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

  async #connect(): Promise<pg.Client> {
    if (!this.#moveOn) return super.connect();
    try {
      await super.connect();
      const { rows } = await this.query<{ transaction_read_only: string }>(
        'show transaction_read_only',
      );
      if (rows[0]!.transaction_read_only === 'off') return this;
    } catch (error) {
      this.#moveOn();
      throw error;
    }
    this.#moveOn();
    await this.end();
    throw new NotPrimary();
  }
}

/** With the code that PostgreSQL itself has for a change on a standby. */
class NotPrimary extends Error {
  readonly code = '25006'; // read_only_sql_transaction
  override message = 'none of its servers accepts changes';
}
