import { createClient } from '@redis/client';
import type { Log } from '../kernel/declare/log.ts';
import { withinDeadline } from './deadline.ts';

/** How long Redis may take before it counts as lost. */
export interface RedisDeadlines {
  /** For a call: one request waits for it, and those after that request do not. */
  readonly callMs: number;
  /** For a connection: only the start of the service waits for it. */
  readonly connectMs: number;
}

export const redisDeadlines: RedisDeadlines = { callMs: 100, connectMs: 1_000 };
const LOOK_EVERY_MS = 1_000;
const PROBE_KEPT_MS = '5000';

/** What every use needs: to run scripts and to write. A replica, or one without memory, refuses it. */
const PROBE = `return redis.call('set', KEYS[1], '1', 'PX', ARGV[1])`;

function newClient(url: string, connectTimeout: number) {
  return createClient({
    url,
    RESP: 2,
    // Answered at once or not at all: what waits here would be told too late.
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
  /** Before every key and channel: what belongs to one installation. */
  prefix: string;
  log: Log;
  deadlines: RedisDeadlines;
}

/**
 * The way to Redis. It is there or it is not, and whoever asks while it is not is told at once. One call
 * that fails or takes too long ends it; once a second it is looked for again, and made anew as a whole:
 * a connection that hangs is never waited for.
 */
export class RedisLink {
  readonly #options: LinkOptions;
  readonly #place: string;
  readonly #listeners = new Map<string, (text: string) => void>();
  readonly #whenUp: (() => Promise<void> | void)[] = [];
  #connection: Connection | undefined;
  #starting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #complained = false;
  #stopped = false;
  #fallbacks = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#place = placeOf(options.url);
  }

  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** How often something was decided here alone that others should have had a part in. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  noteFallback(): void {
    this.#fallbacks += 1;
  }

  key(name: string): string {
    return `${this.#options.prefix}:${name}`;
  }

  /** To be said before it starts. */
  onMessage(channel: string, listener: (text: string) => void): void {
    this.#listeners.set(this.key(channel), listener);
  }

  /** Runs whenever it is there, at the start or again. What was told meanwhile was not heard. */
  onUp(action: () => Promise<void> | void): void {
    this.#whenUp.push(action);
  }

  /** Resolves after the first attempt, whatever came of it. */
  start(): Promise<void> {
    this.#starting ??= this.#connect();
    return this.#starting;
  }

  async run<T>(call: (client: RedisClient) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    if (!connection) throw new Error('Redis is not there');
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
      this.#complain(error);
      return this.#lookAgain();
    }
    if (this.#stopped) return destroy(connection);
    this.#connection = connection;
    this.#complained = false;
    this.#options.log.info(
      { redis: this.#place },
      'Redis is there: rate limits, lock-outs and changes are shared',
    );
    this.#lookAgain();
    for (const action of this.#whenUp) await action();
  }

  async #prepare({ commands, subscriber }: Connection): Promise<void> {
    await Promise.all([commands.connect(), subscriber.connect()]);
    await this.#probe(commands);
    for (const [channel, listener] of this.#listeners)
      await subscriber.subscribe(channel, listener);
  }

  #probe(client: RedisClient): Promise<unknown> {
    return client.eval(PROBE, { keys: [this.key('probe')], arguments: [PROBE_KEPT_MS] });
  }

  #lose(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    destroy(connection);
    this.#complain(error);
    this.#lookAgain();
  }

  #lookAgain(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return this.#connect();
    try {
      const { commands, subscriber } = connection;
      const answers = Promise.all([this.#probe(commands), subscriber.ping()]);
      await withinDeadline(answers, this.#options.deadlines.callMs);
      this.#lookAgain();
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  /** Once, not with every attempt. */
  #complain(error: unknown): void {
    if (this.#complained || this.#stopped) return;
    this.#complained = true;
    this.#options.log.warn(
      { redis: this.#place, reason: reasonOf(error) },
      'Redis cannot be used: until it can, this instance counts rate limits and lock-outs by itself',
    );
  }
}

function destroy({ commands, subscriber }: Connection): void {
  for (const client of [commands, subscriber]) {
    // What is still on its way fails with it, and has been answered for.
    client.on('error', () => {});
    try {
      client.destroy();
    } catch {
      // It was not open.
    }
  }
}

/** What people are told of it: never the password. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '6379'}`;
}

/** The text alone: the other fields of an error may hold the address it was made with. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'the connection failed';
}
