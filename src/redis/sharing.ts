import type { Registry } from 'prom-client';
import { LockOut } from '../kernel/call/lock-out.ts';
import { MemoryRateLimitStore, type RateLimitStore } from '../kernel/call/rate-limit.ts';
import type { Log } from '../kernel/declare/log.ts';
import type { Keyring } from '../shared/secrets.ts';
import type { RedisDeadlines } from './link.ts';

/** State that instances share through Redis or, without it, count separately. */
export interface Sharing {
  readonly limits: RateLimitStore;
  readonly lockOut: LockOut;
  /** Runs when another instance has, or may have, changed something. */
  onChange(action: () => void): void;
  /** Notifies other instances of a change. */
  notifyChange(): void;
  /** Resolves after the first connection attempt. */
  start(): Promise<void>;
  exposeMetrics(registry: Registry): void;
  close(): Promise<void>;
}

export interface SharingOptions {
  /** Empty without Redis. */
  url: string;
  keyring: Keyring;
  log: Log;
  monotonic: () => number;
  deadlines?: RedisDeadlines | undefined;
}

const withoutSharing = (monotonic: () => number): Sharing => ({
  limits: new MemoryRateLimitStore(monotonic),
  lockOut: new LockOut(monotonic),
  onChange() {},
  notifyChange() {},
  async start() {},
  exposeMetrics() {},
  async close() {},
});

export async function openSharing(options: SharingOptions): Promise<Sharing> {
  if (options.url === '') return withoutSharing(options.monotonic);
  // Loaded on demand, like the driver of a database.
  const { shareThroughRedis } = await import('./share-through-redis.ts');
  return shareThroughRedis(options);
}
