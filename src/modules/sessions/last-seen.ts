import { latestTimes } from '../../kernel/cache/latest-times.ts';
import { saveSeen } from './session-store.ts';

/** When each session was last seen, by the hash of its token. */
export const { of: lastSeenOf, job: writeLastSeen } = latestTimes<string>(
  'sessions.write-last-seen',
  saveSeen,
);
