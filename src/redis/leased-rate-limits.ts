import {
  dropEnded,
  IDENTITIES_MAX,
  WINDOW_MS,
  type Allowance,
  type RateLimitStore,
} from '../kernel/call/rate-limit.ts';

/** The counter that all instances share. */
export interface SharedCounter {
  /** Whether it can be called. */
  readonly isUp: boolean;
  /** Adds units to an identity's window, starting one if there is none; returns the new count. */
  add(identity: string, units: number): Promise<{ count: number; resetMs: number }>;
  /** Called when a request was decided without the shared counter. */
  noteFallback(): void;
}

const LEASE_MAX = 100;
/** The part of the remaining units that one instance may lease in advance, so that few stay unused. */
const LEASE_PART = 1 / 16;

interface PendingRequest {
  readonly limit: number;
  readonly nowMs: number;
  resolve(allowance: Allowance): void;
}

/**
 * How many units to lease: as many as are waiting, plus at most as many as were used here before and a
 * small part of the rest, so that near the limit units are leased one by one.
 *
 * @internal Exported for its test.
 */
export function leaseSize({ waiting, used, left }: Record<'waiting' | 'used' | 'left', number>) {
  const ahead = Math.min(LEASE_MAX, used, Math.floor(left * LEASE_PART));
  return Math.max(1, Math.min(waiting, left), ahead);
}

/** The current window of an identity, as known to this instance. */
class LeasedWindow {
  /** Units leased by all instances, including unused ones of this instance. */
  count = 0;
  /** Leased from the shared counter and not used yet. */
  spare = 0;
  /** Requests allowed by this instance. */
  used = 0;
  /** Requests allowed while the shared counter was unreachable, to be added later. */
  owed = 0;
  endsMs: number;
  /** Requests that wait for a lease. */
  readonly waiting: PendingRequest[] = [];

  constructor(endsMs: number) {
    this.endsMs = endsMs;
  }

  /** Decides locally; undefined if more units must be leased. */
  decide(limit: number, nowMs: number): Allowance | undefined {
    if (this.count - this.spare >= limit) return this.#allowance(false, limit, nowMs);
    if (this.spare === 0) return undefined;
    this.spare -= 1;
    return this.#allow(limit, nowMs);
  }

  /** Decides as if there were no other instances. */
  decideAlone(limit: number, nowMs: number): Allowance {
    const known = this.decide(limit, nowMs);
    if (known) return known;
    this.count += 1;
    this.owed += 1;
    return this.#allow(limit, nowMs);
  }

  /** Adds a lease: of the requested units, those within the limit belong to this instance. */
  receive(units: number, count: number, limit: number): void {
    this.owed = 0;
    const before = count - units;
    this.spare = Math.min(units, Math.max(0, limit - before));
    this.count = before + this.spare;
  }

  #allow(limit: number, nowMs: number): Allowance {
    this.used += 1;
    return this.#allowance(true, limit, nowMs);
  }

  #allowance(allowed: boolean, limit: number, nowMs: number): Allowance {
    return {
      allowed,
      remaining: Math.max(0, limit - this.count + this.spare),
      resetMs: Math.max(0, this.endsMs - nowMs),
    };
  }
}

/**
 * Rate limits shared by all instances, without a call per request: units are leased from the shared
 * counter, several at a time. No unit is leased twice, so all instances together allow no more than the
 * limit. While the counter is unreachable, each instance continues locally from its last known count, and
 * adds its requests later.
 */
export class LeasedRateLimits implements RateLimitStore {
  readonly #counter: SharedCounter;
  readonly #monotonic: () => number;
  readonly #windows = new Map<string, LeasedWindow>();

  constructor(counter: SharedCounter, monotonic: () => number) {
    this.#counter = counter;
    this.#monotonic = monotonic;
  }

  take(identity: string, limit: number): Allowance | Promise<Allowance> {
    const nowMs = this.#monotonic();
    const window = this.#windowOf(identity, nowMs);
    if (window.waiting.length > 0) return waitIn(window, limit, nowMs);
    if (!this.#counter.isUp) return this.#decideAlone(window, limit, nowMs);
    const known = window.decide(limit, nowMs);
    if (known) return known;
    const allowance = waitIn(window, limit, nowMs);
    void this.#lease(identity, window);
    return allowance;
  }

  /** Leases units until no request waits. One call at a time serves many concurrent requests. */
  async #lease(identity: string, window: LeasedWindow): Promise<void> {
    const { waiting } = window;
    while (waiting.length > 0) {
      const { limit } = waiting[0]!;
      const sentMs = this.#monotonic();
      const left = limit - window.count;
      const units = leaseSize({ waiting: waiting.length, used: window.used, left });
      try {
        const { count, resetMs } = await this.#counter.add(identity, units + window.owed);
        window.receive(units, count, limit);
        // Counted from before the call, so that the window ends here no later than in Redis. It never
        // exceeds the length of a window, even if the clock of Redis was set back.
        window.endsMs = sentMs + Math.min(resetMs, WINDOW_MS);
      } catch {
        for (const one of waiting.splice(0)) {
          one.resolve(this.#decideAlone(window, one.limit, one.nowMs));
        }
        return;
      }
      this.#serve(window);
    }
  }

  #serve(window: LeasedWindow): void {
    const { waiting } = window;
    while (waiting.length > 0) {
      const allowance = window.decide(waiting[0]!.limit, waiting[0]!.nowMs);
      if (!allowance) return;
      waiting.shift()!.resolve(allowance);
    }
  }

  #decideAlone(window: LeasedWindow, limit: number, nowMs: number): Allowance {
    this.#counter.noteFallback();
    return window.decideAlone(limit, nowMs);
  }

  #windowOf(identity: string, nowMs: number): LeasedWindow {
    const known = this.#windows.get(identity);
    if (known && (known.endsMs > nowMs || known.waiting.length > 0)) return known;
    if (this.#windows.size >= IDENTITIES_MAX) dropEnded(this.#windows, nowMs);
    const window = new LeasedWindow(nowMs + WINDOW_MS);
    this.#windows.set(identity, window);
    return window;
  }
}

function waitIn({ waiting }: LeasedWindow, limit: number, nowMs: number): Promise<Allowance> {
  return new Promise((resolve) => void waiting.push({ limit, nowMs, resolve }));
}
