import { redisPrefix } from '../../src/redis/share-through-redis.ts';
import type { Keyring } from '../../src/shared/secrets.ts';
import { onRedis } from './client.ts';

/** Whatever ends by itself ends so much earlier, and whatever carries a time is so much older. */
const MOVE = `
local ms = tonumber(ARGV[2])
for _, key in ipairs(redis.call('keys', ARGV[1])) do
  if redis.call('type', key).ok == 'zset' then
    local found = redis.call('zrange', key, 0, -1, 'withscores')
    for i = 1, #found, 2 do
      redis.call('zadd', key, found[i + 1] - ms, found[i])
    end
  end
  local left = redis.call('pttl', key)
  if left > ms then
    redis.call('pexpire', key, left - ms)
  elseif left >= 0 then
    redis.call('del', key)
  end
end
`;

/** Lets time pass in Redis for one installation: its clock cannot be set, unlike that of a test. */
export function moveTime(url: string, keyring: Keyring, ms: number): Promise<void> {
  return onRedis(url, async (client) => {
    await client.eval(MOVE, { keys: [], arguments: [patternFor(keyring), String(ms)] });
  });
}

/** The keys of an installation. Braces mean nothing in a pattern. */
export function patternFor(keyring: Keyring): string {
  return `${redisPrefix(keyring)}:*`;
}
