import { RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW_MS } from '../kernel/call/rate-limit.ts';
import type { SharedCounter } from './leased-rate-limits.ts';
import type { RedisClient, RedisLink } from './link.ts';

/**
 * The script of the library, with one addition: a window that lasts longer than allowed was started
 * before the clock of Redis was set back, and is deleted.
 */
const ADD = `
local window = ARGV[2] * 1000
if redis.call('pttl', KEYS[1]) > window then
  redis.call('del', KEYS[1])
end
redis.call('set', KEYS[1], 0, 'PX', window, 'NX')
return {redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}
`;

/** Counts in Redis, in windows that start with the first unit and end by the clock of Redis. */
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
      // `penalty` counts without a limit of the library: our limit can change at any time.
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
    customIncrTtlLuaScript: ADD,
    // Required by the library, but not used for counting.
    points: 1,
  });
}
