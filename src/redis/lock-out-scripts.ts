// Scripts run atomically and use the clock of Redis, so that differing clocks of instances do not matter.

const NOW = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const PUBLISH = `
redis.call('publish', channel, cjson.encode({by = by, network = network, wait = wait, following = following}))
`;

/**
 * Counts a failure, or stores a lock that an instance decided locally. While the network is locked, it
 * changes nothing and returns that lock. Returns how long the network is locked, how long the next lock
 * lasts, and 1 if this call locked it; zeros if it is not locked.
 *
 * KEYS: its failures, its next wait, all that are locked
 * ARGV: channel, id of the instance, network, a name for this failure, the local wait or 0, the rules
 */
export const FAIL = `${NOW}
local channel, by, network, name, decided = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local most, window, first = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local longest, forget = tonumber(ARGV[9]), tonumber(ARGV[10])
local wait = tonumber(redis.call('get', KEYS[2]) or first)
local ends = tonumber(redis.call('zscore', KEYS[3], network) or 0)
-- A lock never exceeds the next one: a longer one is from before the clock was set back.
if ends > now and ends - now <= wait then
  return {ends - now, wait, 0}
end
if decided == 0 then
  redis.call('zremrangebyscore', KEYS[1], '-inf', now - window)
  redis.call('zremrangebyscore', KEYS[1], '(' .. now, '+inf')
  redis.call('zadd', KEYS[1], now, name)
  redis.call('pexpire', KEYS[1], window)
  redis.call('pexpire', KEYS[2], forget)
  if redis.call('zcard', KEYS[1]) < most then
    return {0, 0, 0}
  end
end
wait = math.max(wait, decided)
local following = math.min(wait * 2, longest)
redis.call('del', KEYS[1])
redis.call('set', KEYS[2], following, 'PX', forget)
redis.call('zremrangebyscore', KEYS[3], '-inf', now)
redis.call('zremrangebyscore', KEYS[3], '(' .. (now + longest), '+inf')
redis.call('zadd', KEYS[3], now + wait, network)
redis.call('pexpire', KEYS[3], longest)
${PUBLISH}
return {wait, following, 1}
`;

/**
 * Stores the rest of a lock that an instance decided while Redis was down.
 *
 * KEYS: its next wait, all that are locked
 * ARGV: channel, id of the instance, network, rest of the lock, duration of the next one, two rules
 */
export const ADOPT = `${NOW}
local channel, by, network = ARGV[1], ARGV[2], ARGV[3]
local wait, following = tonumber(ARGV[4]), tonumber(ARGV[5])
local longest, forget = ARGV[6], ARGV[7]
following = math.max(following, wait)
redis.call('set', KEYS[1], following, 'PX', forget)
redis.call('zadd', KEYS[2], now + wait, network)
redis.call('pexpire', KEYS[2], longest)
${PUBLISH}
`;

/** All locked networks with the rest of their locks. KEYS: all that are locked; ARGV: the longest wait */
export const LOCKED = `${NOW}
local found = redis.call('zrangebyscore', KEYS[1], now + 1, now + ARGV[1], 'withscores')
for i = 2, #found, 2 do
  found[i] = found[i] - now
end
return found
`;
