import { latestTimes } from '../../kernel/cache/latest-times.ts';
import { saveSeen } from './session-rows.ts';

/** The last use of each session, by the hash of its token. */
export const { of: lastSeenOf, job: writeLastSeen } = latestTimes<string>(
  'sessions.write-last-seen',
  saveSeen,
);
