import { query } from '../db/statements/query.ts';
import type { Site } from '../kernel/declare/site.ts';
import { HOUR_MS } from '../shared/durations.ts';

const newestEvent = query<object, { created_at: number }>((db) =>
  db.selectFrom('events').select('created_at').orderBy('id', 'desc').limit(1),
);

/**
 * Warns at the start when the newest event lies in the future: the clock was reset (a flat battery, a restored
 * machine), or it was ahead before. The service starts anyway, because in the second case nothing is wrong now.
 */
export async function warnOfWrongClock({ database, clock, log }: Site): Promise<void> {
  const newest = await database.read.first(newestEvent, {});
  const behindMs = (newest?.created_at ?? 0) - clock();
  if (behindMs <= HOUR_MS) return;
  log.error(
    {
      now: new Date(clock()).toISOString(),
      newest: new Date(newest!.created_at).toISOString(),
      hours: Math.floor(behindMs / HOUR_MS),
    },
    'the clock is far behind the newest event: orders, payouts and certificates get wrong dates. Set it (timedatectl ' +
      'set-ntp true) and restart; if it was ahead before and is right now, this ends when time has caught up',
  );
}
