import type { Registry } from 'prom-client';
import { LockOut } from '../kernel/call/lock-out.ts';
import type { Log } from '../kernel/declare/log.ts';
import { MemoryRateLimitStore, type RateLimitStore } from '../kernel/call/rate-limit.ts';
import type { Keyring } from '../shared/secrets.ts';
import type { RedisDeadlines } from './link.ts';

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

export interface SharingOptions {
  /** Empty where there is no Redis. */
  url: string;
  keyring: Keyring;
  log: Log;
  monotonic: () => number;
  deadlines?: RedisDeadlines | undefined;
}

const nothingShared = (monotonic: () => number): Sharing => ({
  limits: new MemoryRateLimitStore(monotonic),
  lockOut: new LockOut(monotonic),
  onChange() {},
  tellChange() {},
  async start() {},
  exposeMetrics() {},
  async close() {},
});

export async function openSharing(options: SharingOptions): Promise<Sharing> {
  if (options.url === '') return nothingShared(options.monotonic);
  // Loaded where it is used, as the driver of a database is.
  const { shareThroughRedis } = await import('./share-through-redis.ts');
  return shareThroughRedis(options);
}
