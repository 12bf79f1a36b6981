import { networkOf } from '../../shared/network.ts';

const FAILURES_MAX = 10;
const WINDOW_MS = 5 * 60_000;
const FIRST_WAIT_MS = 60_000;
const WAIT_MAX_MS = 60 * 60_000;
/** After a day without failures, a network starts again with the shortest wait. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;
const ADDRESSES_MAX = 50_000;

interface FailureRecord {
  failures: number[];
  lockedUntilMs: number;
  nextWaitMs: number;
  seenMs: number;
}

/** The numbers of the lock-out. The implementation in Redis uses the same. */
export const lockOutRules = {
  failuresMax: FAILURES_MAX,
  windowMs: WINDOW_MS,
  firstWaitMs: FIRST_WAIT_MS,
  waitMaxMs: WAIT_MAX_MS,
  forgetAfterMs: FORGET_AFTER_MS,
};

/** The remaining wait of a network, and the wait after its next lock-out, in milliseconds. */
export interface Lock {
  readonly network: string;
  readonly wait: number;
  readonly following: number;
}

/** Receives every failure. `waitMs` is how long the failure locks the network out, or 0. */
export type FailureListener = (network: string, waitMs: number) => void;

/** Locks a network out after ten failed sign-ins in five minutes. Each lock-out doubles the next wait. */
export class LockOut {
  readonly #monotonic: () => number;
  readonly #records = new Map<string, FailureRecord>();
  #listener: FailureListener | undefined;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  onFailure(listener: FailureListener): void {
    this.#listener = listener;
  }

  /** True while no failures are recorded: requests then skip the check of their address. */
  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  /** How long this address is still locked out; 0 if it is not. */
  remainingMs(address: string): number {
    const record = this.#records.get(networkOf(address));
    return record ? Math.max(0, record.lockedUntilMs - this.#monotonic()) : 0;
  }

  fail(address: string): void {
    const nowMs = this.#monotonic();
    const key = networkOf(address);
    const record = this.#recordOf(key, nowMs);
    record.seenMs = nowMs;
    record.failures = record.failures.filter((at) => nowMs - at < WINDOW_MS);
    record.failures.push(nowMs);
    if (record.failures.length < FAILURES_MAX) return this.#listener?.(key, 0);
    const waitMs = record.nextWaitMs;
    record.failures = [];
    record.lockedUntilMs = nowMs + waitMs;
    record.nextWaitMs = Math.min(waitMs * 2, WAIT_MAX_MS);
    this.#listener?.(key, waitMs);
  }

  /** Applies a lock-out from another instance: `wait` now, and at least `following` the next time. */
  lock({ network: key, wait, following }: Lock, sinceMs = this.#monotonic()): void {
    const record = this.#recordOf(key, sinceMs);
    record.seenMs = sinceMs;
    record.failures = [];
    const lockedUntilMs = sinceMs + Math.min(wait, WAIT_MAX_MS);
    record.lockedUntilMs = Math.max(record.lockedUntilMs, lockedUntilMs);
    record.nextWaitMs = Math.max(record.nextWaitMs, Math.min(following, WAIT_MAX_MS));
  }

  locked(): Lock[] {
    const nowMs = this.#monotonic();
    return [...this.#records]
      .filter(([, { lockedUntilMs }]) => lockedUntilMs > nowMs)
      .map(([key, { lockedUntilMs, nextWaitMs }]) => ({
        network: key,
        wait: lockedUntilMs - nowMs,
        following: nextWaitMs,
      }));
  }

  #recordOf(key: string, nowMs: number): FailureRecord {
    const known = this.#records.get(key);
    if (known && nowMs - known.seenMs < FORGET_AFTER_MS) return known;
    if (this.#records.size >= ADDRESSES_MAX) this.#dropOldest(nowMs);
    const record = { failures: [], lockedUntilMs: 0, nextWaitMs: FIRST_WAIT_MS, seenMs: nowMs };
    this.#records.set(key, record);
    return record;
  }

  /** Maps iterate in insertion order, so the oldest records go first. Active lock-outs stay. */
  #dropOldest(nowMs: number): void {
    for (const [key, record] of this.#records) {
      if (record.lockedUntilMs > nowMs) continue;
      this.#records.delete(key);
      if (this.#records.size < ADDRESSES_MAX * 0.9) return;
    }
  }
}
