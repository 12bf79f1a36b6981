import { createClient } from '@redis/client';
import type { Log } from '../kernel/declare/log.ts';

const PARTS = 4;

/**
 * Rejects if the work takes longer. The time is split into parts, and arrived data is read in between:
 * a process that was busy itself must not mistake its own pause for a slow server.
 */
function withinDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = PARTS;
    let timer: NodeJS.Timeout;
    const late = () => reject(new Error(`no response within ${ms} ms`));
    const wait = () => {
      if (left-- > 0) timer = setTimeout(wait, ms / PARTS);
      else setImmediate(late);
    };
    wait();
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** How long Redis may take before it counts as down. */
export interface RedisDeadlines {
  /** The time for a call. After the first timeout, further requests do not wait. */
  readonly callMs: number;
  /** The time for a connection. Only the start of the service waits for it. */
  readonly connectMs: number;
}

export const redisDeadlines: RedisDeadlines = { callMs: 100, connectMs: 1_000 };
const CHECK_EVERY_MS = 1_000;
const PROBE_TTL_MS = '5000';

/** Tests that Redis runs scripts and accepts writes, which a replica or a full server does not. */
const PROBE = `return redis.call('set', KEYS[1], '1', 'PX', ARGV[1])`;

function newClient(url: string, connectTimeout: number) {
  return createClient({
    url,
    RESP: 2,
    // Commands must fail immediately: queued ones would be sent too late.
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout },
  });
}

export type RedisClient = ReturnType<typeof newClient>;

interface Connection {
  readonly commands: RedisClient;
  readonly subscriber: RedisClient;
}

export interface LinkOptions {
  url: string;
  /** Prefix of every key and channel of this installation. */
  prefix: string;
  log: Log;
  deadlines: RedisDeadlines;
}

/**
 * Connection with a circuit breaker: one failed or slow call marks Redis as down; calls then fail fast,
 * and a new connection is tried every second.
 */
export class RedisLink {
  readonly #options: LinkOptions;
  readonly #hostAndPort: string;
  readonly #listeners = new Map<string, (text: string) => void>();
  readonly #whenUp: (() => Promise<void> | void)[] = [];
  #connection: Connection | undefined;
  #starting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailureLogged = false;
  #stopped = false;
  #fallbacks = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#hostAndPort = hostAndPortOf(options.url);
  }

  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** Number of decisions made locally because Redis was down. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  noteFallback(): void {
    this.#fallbacks += 1;
  }

  key(name: string): string {
    return `${this.#options.prefix}:${name}`;
  }

  /** Must be called before `start`. */
  onMessage(channel: string, listener: (text: string) => void): void {
    this.#listeners.set(this.key(channel), listener);
  }

  /** Runs after every successful connection. Messages published before were missed. */
  onUp(action: () => Promise<void> | void): void {
    this.#whenUp.push(action);
  }

  /** Resolves after the first attempt, successful or not. */
  start(): Promise<void> {
    this.#starting ??= this.#connect();
    return this.#starting;
  }

  async run<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (!connection) throw new Error('Redis is down');
    try {
      return await withinDeadline(call(connection.commands), this.#options.deadlines.callMs);
    } catch (error) {
      this.#lose(connection, error);
      throw error;
    }
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection) destroy(connection);
  }

  async #connect(): Promise<void> {
    const { url, deadlines } = this.#options;
    const { connectMs } = deadlines;
    const commands = newClient(url, connectMs);
    const subscriber = newClient(url, connectMs);
    const connection = { commands, subscriber };
    const ended = (error: unknown) => this.#lose(connection, error);
    for (const client of [commands, subscriber]) client.on('error', ended);
    try {
      await withinDeadline(this.#prepare(connection), connectMs);
    } catch (error) {
      destroy(connection);
      this.#logFailure(error);
      return this.#scheduleCheck();
    }
    if (this.#stopped) return destroy(connection);
    this.#connection = connection;
    this.#isFailureLogged = false;
    this.#options.log.info(
      { redis: this.#hostAndPort },
      'Redis is connected: rate limits, lock-outs and changes are shared',
    );
    this.#scheduleCheck();
    for (const action of this.#whenUp) await action();
  }

  async #prepare({ commands, subscriber }: Connection): Promise<void> {
    await Promise.all([commands.connect(), subscriber.connect()]);
    await this.#probe(commands);
    for (const [channel, listener] of this.#listeners)
      await subscriber.subscribe(channel, listener);
  }

  #probe(client: RedisClient): Promise<unknown> {
    return client.eval(PROBE, { keys: [this.key('probe')], arguments: [PROBE_TTL_MS] });
  }

  #lose(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    destroy(connection);
    this.#logFailure(error);
    this.#scheduleCheck();
  }

  #scheduleCheck(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#check(), CHECK_EVERY_MS).unref();
  }

  async #check(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.#connect();
    try {
      const { commands, subscriber } = connection;
      const answers = Promise.all([this.#probe(commands), subscriber.ping()]);
      await withinDeadline(answers, this.#options.deadlines.callMs);
      this.#scheduleCheck();
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  /** Logs the first failure only, not every attempt. */
  #logFailure(error: unknown): void {
    if (this.#isFailureLogged || this.#stopped) return;
    this.#isFailureLogged = true;
    this.#options.log.warn(
      { redis: this.#hostAndPort, reason: reasonOf(error) },
      'Redis is unavailable: this instance counts rate limits and lock-outs locally until it is back',
    );
  }
}

function destroy({ commands, subscriber }: Connection): void {
  for (const client of [commands, subscriber]) {
    // Pending commands fail now; their callers already got a timeout.
    client.on('error', () => {});
    try {
      client.destroy();
    } catch {
      // The client was not open.
    }
  }
}

/** Host and port for the log, never the password. */
function hostAndPortOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '6379'}`;
}

/** Returns the message only, because other fields of the error may contain the URL with the password. */
function reasonOf(error: unknown): string {
  // The client rejects with errors, some of which have an empty message and a code.
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'the connection failed';
}
