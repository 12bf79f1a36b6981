export { refreshForRead, userChanges } from './refresh-roster.ts';
export { countWithUnpaid, hasWord } from './roster-store.ts';
export { wordsIn, wordsOf } from './words.ts';
