import type { Registry } from 'prom-client';
import { LockOut } from '../http/lock-out.ts';
import { MemoryRateLimitStore, type RateLimitStore } from '../kernel/rate-limit.ts';

/** What the instances of an installation have in common beside their database, or each for itself. */
export interface Sharing {
  readonly limits: RateLimitStore;
  readonly lockOut: LockOut;
  /** Others have changed something, or may have. */
  onChange(action: () => void): void;
  /** Others must learn of a change. */
  tellChange(): void;
  /** Resolves once it is known whether it works. */
  start(): Promise<void>;
  exposeMetrics(registry: Registry): void;
  close(): Promise<void>;
}

export const nothingShared = (monotonic: () => number): Sharing => ({
  limits: new MemoryRateLimitStore(monotonic),
  lockOut: new LockOut(monotonic),
  onChange() {},
  tellChange() {},
  async start() {},
  exposeMetrics() {},
  async close() {},
});
