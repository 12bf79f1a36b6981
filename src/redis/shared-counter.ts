import { RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW_MS } from '../kernel/rate-limit.ts';
import type { SharedCounter } from './leased-rate-limits.ts';
import type { RedisClient, RedisLink } from './link.ts';

/** Counts in Redis, in windows that begin with the first unit and end by Redis's clock alone. */
export function redisCounter(link: RedisLink): SharedCounter {
  const limiters = new WeakMap<RedisClient, RateLimiterRedis>();
  const limiterOn = (client: RedisClient) => {
    let limiter = limiters.get(client);
    if (!limiter) limiters.set(client, (limiter = newLimiter(link, client)));
    return limiter;
  };
  return {
    get isUp() {
      return link.isUp;
    },
    noteFallback: () => link.noteFallback(),
    async add(identity, units) {
      // The library's word for counting whatever the limit is: ours can change at any time.
      const { consumedPoints, msBeforeNext } = await link.run((client) =>
        limiterOn(client).penalty(identity, units),
      );
      return { count: consumedPoints, resetMs: msBeforeNext };
    },
  };
}

function newLimiter(link: RedisLink, client: RedisClient): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    keyPrefix: link.key('rate'),
    duration: WINDOW_MS / 1000,
    // Asked for, and of no effect on what is only counted.
    points: 1,
  });
}
