import { latestTimes } from '../../kernel/cache/latest-times.ts';
import { saveLastUsed } from './key-store.ts';

/** When each key was last used, by the number of the key. */
export const { of: lastUsedOf, job: writeLastUsed } = latestTimes<number>(
  'keys.write-last-used',
  saveLastUsed,
);
