import { latestTimes } from '../../kernel/cache/latest-times.ts';
import { saveLastUsed } from './key-rows.ts';

/** The time of each key's last use, by key id. */
export const { of: lastUsedOf, job: writeLastUsed } = latestTimes<number>(
  'keys.write-last-used',
  saveLastUsed,
);
