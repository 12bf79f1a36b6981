import {
  dropEnded,
  IDENTITIES_MAX,
  WINDOW_MS,
  type Allowance,
  type RateLimitStore,
} from '../kernel/call/rate-limit.ts';

/** The count that all instances share. */
export interface SharedCounter {
  /** Whether it is worth asking. */
  readonly isUp: boolean;
  /** Adds to an identity's window, beginning one where there is none; tells what is in it now. */
  add(identity: string, units: number): Promise<{ count: number; resetMs: number }>;
  /** A request was let through or refused without it. */
  noteFallback(): void;
}

const LEASE_MAX = 100;
/** What one instance may take ahead of what is left, so that little lies idle where nobody asks for it. */
const LEASE_PART = 1 / 16;

interface Waiting {
  readonly limit: number;
  readonly nowMs: number;
  resolve(allowance: Allowance): void;
}

/**
 * How many units to take at once: as many as are waited for, and ahead of that no more than were used
 * here before, and a small part of what is left, so that near the limit each is taken singly.
 *
 * @internal Exported for its test.
 */
export function leaseSize({ waiting, used, left }: Record<'waiting' | 'used' | 'left', number>) {
  const ahead = Math.min(LEASE_MAX, used, Math.floor(left * LEASE_PART));
  return Math.max(1, Math.min(waiting, left), ahead);
}

/** An identity's minute as this instance knows it. */
class Window {
  /** What all instances have taken, this one's unused units among them. */
  count = 0;
  /** Taken from the shared count and not used yet. */
  spare = 0;
  /** Let through here. */
  used = 0;
  /** Let through here while the shared count could not be reached, and to be added to it. */
  owed = 0;
  endsMs: number;
  /** Requests that came while units are on their way. */
  readonly waiting: Waiting[] = [];

  constructor(endsMs: number) {
    this.endsMs = endsMs;
  }

  /** By what is known here; undefined where more units must be asked for. */
  decide(limit: number, nowMs: number): Allowance | undefined {
    if (this.count - this.spare >= limit) return this.#allowance(false, limit, nowMs);
    if (this.spare === 0) return undefined;
    this.spare -= 1;
    return this.#allow(limit, nowMs);
  }

  /** As if there were no other instances. */
  decideAlone(limit: number, nowMs: number): Allowance {
    const known = this.decide(limit, nowMs);
    if (known) return known;
    this.count += 1;
    this.owed += 1;
    return this.#allow(limit, nowMs);
  }

  /** So many were asked for, and the shared count is this now: those within the limit are ours. */
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
 * Limits that all instances keep together, without asking for each request: units are taken from the
 * shared count several at a time. No two instances ever have the same unit, so together they let no more
 * through than the limit. While the shared count cannot be reached each goes on by itself, from what it
 * knew last, and adds what it let through when it can.
 */
export class LeasedRateLimits implements RateLimitStore {
  readonly #counter: SharedCounter;
  readonly #monotonic: () => number;
  readonly #windows = new Map<string, Window>();

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

  /** Until nobody waits. One call at a time, so that many requests at once do not each make one. */
  async #lease(identity: string, window: Window): Promise<void> {
    const { waiting } = window;
    while (waiting.length > 0) {
      const { limit } = waiting[0]!;
      const sentMs = this.#monotonic();
      const left = limit - window.count;
      const units = leaseSize({ waiting: waiting.length, used: window.used, left });
      try {
        const { count, resetMs } = await this.#counter.add(identity, units + window.owed);
        window.receive(units, count, limit);
        // From before it was asked: here a window is over no later than there, and never lasts longer
        // than a window does, whatever the clock of Redis has done.
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

  #serve(window: Window): void {
    const { waiting } = window;
    while (waiting.length > 0) {
      const allowance = window.decide(waiting[0]!.limit, waiting[0]!.nowMs);
      if (!allowance) return;
      waiting.shift()!.resolve(allowance);
    }
  }

  #decideAlone(window: Window, limit: number, nowMs: number): Allowance {
    this.#counter.noteFallback();
    return window.decideAlone(limit, nowMs);
  }

  #windowOf(identity: string, nowMs: number): Window {
    const known = this.#windows.get(identity);
    if (known && (known.endsMs > nowMs || known.waiting.length > 0)) return known;
    if (this.#windows.size >= IDENTITIES_MAX) dropEnded(this.#windows, nowMs);
    const window = new Window(nowMs + WINDOW_MS);
    this.#windows.set(identity, window);
    return window;
  }
}

function waitIn({ waiting }: Window, limit: number, nowMs: number): Promise<Allowance> {
  return new Promise((resolve) => void waiting.push({ limit, nowMs, resolve }));
}
