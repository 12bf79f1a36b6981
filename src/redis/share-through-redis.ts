import { Counter, Gauge, type Registry } from 'prom-client';
import { LockOut } from '../kernel/call/lock-out.ts';
import type { Keyring } from '../shared/secrets.ts';
import { LeasedRateLimits } from './leased-rate-limits.ts';
import { redisDeadlines, RedisLink } from './link.ts';
import { SharedChanges } from './shared-changes.ts';
import { redisCounter } from './shared-counter.ts';
import { SharedLockOut } from './shared-lock-out.ts';
import type { Sharing, SharingOptions } from './sharing.ts';

/**
 * Instances have the same secret, and thereby the same keys; another installation has others.
 *
 * @internal Exported for its test.
 */
export function redisPrefix(keyring: Keyring): string {
  return `tributary:{${keyring.hash('redis', 'prefix').slice(0, 16)}}`;
}

export function shareThroughRedis(options: SharingOptions): Sharing {
  const { url, keyring, log, monotonic, deadlines = redisDeadlines } = options;
  const link = new RedisLink({ url, prefix: redisPrefix(keyring), log, deadlines });
  const lockOut = new LockOut(monotonic);
  new SharedLockOut(link, lockOut, log, monotonic);
  const changes = new SharedChanges(link);
  return {
    limits: new LeasedRateLimits(redisCounter(link), monotonic),
    lockOut,
    onChange: (action) => changes.onChange(action),
    tellChange: () => changes.tell(),
    start: () => link.start(),
    exposeMetrics: (registry) => exposeMetrics(registry, link),
    async close() {
      await changes.told();
      link.close();
    },
  };
}

function exposeMetrics(registry: Registry, link: RedisLink): void {
  new Gauge({
    name: 'tributary_redis_up',
    help: '1 while limits, lock-outs and changes are shared through Redis, 0 while they are not.',
    registers: [registry],
    collect() {
      this.set(link.isUp ? 1 : 0);
    },
  });
  new Counter({
    name: 'tributary_redis_fallbacks_total',
    help: 'Requests and failures to sign in that were counted by this instance alone for want of Redis.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(link.fallbacks);
    },
  });
}
