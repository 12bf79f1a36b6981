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
 * Instances of one installation have the same secret and thus the same prefix.
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
    notifyChange: () => changes.publish(),
    start: () => link.start(),
    exposeMetrics: (registry) => exposeMetrics(registry, link),
    async close() {
      await changes.settled();
      link.close();
    },
  };
}

function exposeMetrics(registry: Registry, link: RedisLink): void {
  new Gauge({
    name: 'tributary_redis_up',
    help: '1 while limits, lock-outs and changes are shared through Redis, otherwise 0.',
    registers: [registry],
    collect() {
      this.set(link.isUp ? 1 : 0);
    },
  });
  new Counter({
    name: 'tributary_redis_fallbacks_total',
    help: 'Requests and failed sign-ins that this instance counted locally because Redis was down.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(link.fallbacks);
    },
  });
}
