export { refreshForRead } from './refresh-roster.ts';
export { hasWord } from './roster-store.ts';
export { wordsIn } from './words.ts';
