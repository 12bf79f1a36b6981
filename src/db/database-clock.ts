import type { Database } from './database.ts';
import { query } from './statements/query.ts';

const READ_EVERY_MS = 10_000;
/** A slower round trip says too little about when the server read its clock. */
const ROUND_TRIP_MS_MAX = 1_000;

const readNow = query<object, { now: number }>((db, _p, _given, dialect) =>
  db.selectNoFrom(dialect.now.as('now')),
);

/**
 * Calendar time by the clock of the PostgreSQL server, so that all instances agree however much the clocks of
 * their machines differ. Between two readings the monotonic clock continues it; an unreachable server is read
 * again later.
 */
export class DatabaseClock {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  #baseMs = Date.now() - performance.now();

  private constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => void this.adjust().catch(() => {}), READ_EVERY_MS).unref();
  }

  static async follow(database: Database): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database);
    await clock.adjust({ tripMaxMs: Infinity });
    return clock;
  }

  readonly read = (): number => Math.floor(performance.now() + this.#baseMs);

  /** Reads the server's clock, assuming that the server read it in the middle of the round trip. */
  async adjust({ tripMaxMs = ROUND_TRIP_MS_MAX } = {}): Promise<void> {
    const sentMs = performance.now();
    const { now } = (await this.#database.read.first(readNow, {}))!;
    const receivedMs = performance.now();
    if (receivedMs - sentMs > tripMaxMs) return;
    this.#baseMs = now - (sentMs + receivedMs) / 2;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
