/** The state of an allowance after one more request. */
export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Counts requests, in memory or, for several instances, in Redis. */
export interface RateLimitStore {
  /** Returns no promise if the count is in memory, because this runs on every request. */
  take(identity: string, limit: number): Allowance | Promise<Allowance>;
}

declare module '../declare/site.ts' {
  interface Site {
    readonly limits: RateLimitStore;
  }
}

export const WINDOW_MS = 60_000;
export const IDENTITIES_MAX = 100_000;

interface RateWindow {
  count: number;
  endsMs: number;
}

/** Counts per minute. The window of an identity begins with its first request. */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #monotonic: () => number;
  readonly #windows = new Map<string, RateWindow>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  take(identity: string, limit: number): Allowance {
    const nowMs = this.#monotonic();
    let window = this.#windows.get(identity);
    if (!window || window.endsMs <= nowMs) window = this.#open(identity, nowMs);
    window.count += 1;
    return {
      allowed: window.count <= limit,
      remaining: Math.max(0, limit - window.count),
      resetMs: window.endsMs - nowMs,
    };
  }

  #open(identity: string, nowMs: number): RateWindow {
    if (this.#windows.size >= IDENTITIES_MAX) dropEnded(this.#windows, nowMs);
    const window = { count: 0, endsMs: nowMs + WINDOW_MS };
    this.#windows.set(identity, window);
    return window;
  }
}

/** Deletes the windows that have ended; if that is not enough, the oldest ones too. */
export function dropEnded(windows: Map<string, { readonly endsMs: number }>, nowMs: number): void {
  for (const [key, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(key);
  for (const key of windows.keys()) {
    if (windows.size < IDENTITIES_MAX * 0.9) return;
    windows.delete(key);
  }
}
