import { BoundedMap } from './bounded-map.ts';

const INTERVAL_MS = 60_000;
/** Beyond this many causes the oldest are removed, and may be logged again within their minute. */
const CAUSES_MAX = 1_000;
const CAUSE_LENGTH_MAX = 300;

/** The part of a logger that this class uses. */
export interface LogSink {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface Cause {
  loggedMs: number;
  suppressed: number;
  isOver: boolean;
}

/**
 * Logs one line per cause and minute. When a database is gone or a receiver fails, every request fails
 * for the same reason, and one line says as much as a thousand. The next line of a cause has the number
 * of omitted lines as `suppressed`.
 */
export class LimitedLog {
  readonly #log: LogSink;
  readonly #monotonic: () => number;
  readonly #causes = new BoundedMap<string, Cause>(CAUSES_MAX);

  constructor(log: LogSink, monotonic: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  warn(cause: string, fields: object, message: string): void {
    this.#write('warn', cause, fields, message);
  }

  error(cause: string, fields: object, message: string): void {
    this.#write('error', cause, fields, message);
  }

  /**
   * Logs that a cause is over, if it was logged. The cause is stored for the rest of its minute, so that a
   * error that comes and goes also has one pair of lines per minute.
   */
  recovered(cause: string, fields: object, message: string): void {
    const known = this.#causes.get(cause);
    if (!known || known.isOver) return;
    this.#log.info({ ...fields, ...suppressedBefore(known) }, message);
    known.suppressed = 0;
    known.isOver = true;
  }

  #write(level: 'warn' | 'error', cause: string, fields: object, message: string): void {
    const nowMs = this.#monotonic();
    const known = this.#causes.get(cause);
    if (known && nowMs - known.loggedMs < INTERVAL_MS) {
      known.suppressed += 1;
      return;
    }
    // Deleted first, so that it counts as new: the map removes the oldest causes first.
    this.#causes.delete(cause);
    this.#causes.set(cause, { loggedMs: nowMs, suppressed: 0, isOver: false });
    this.#log[level]({ ...fields, ...(known && suppressedBefore(known)) }, message);
  }
}

function suppressedBefore({ suppressed }: Cause): { suppressed?: number } {
  return suppressed > 0 ? { suppressed } : {};
}

/**
 * Groups errors by what they have in common when they come from the same error: name, code and message without
 * numbers (ids, ports). Errors without a code are also grouped by the line that threw them.
 */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, CAUSE_LENGTH_MAX);
  // Node and the database drivers add a code to their errors.
  const { code } = error as { code?: unknown };
  const place = code === undefined ? (/\n\s+at (.+)/.exec(error.stack ?? '')?.[1] ?? '') : '';
  const words = `${error.name} ${String(code ?? '')} ${error.message}`.replaceAll(/\d+/g, '#');
  return `${words} ${place}`.slice(0, CAUSE_LENGTH_MAX);
}
