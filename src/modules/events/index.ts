export { emit } from './emit.ts';
export { isOfAdministrator, keysVisibleTo, type KeyVisibility } from './keys-of-administrators.ts';
export { findEventsOf, countEvents, pollEvents } from './event-rows.ts';
export { FeedCursor, listEventsAfter } from './feed-cursor.ts';
export { sequenceEvents, sequenceSomeEvents } from './sequence-events.ts';
export { checkEventFilter, eventFilterParameters, requireLog, toSearch } from './search-events.ts';
export { findEvents, firstSince } from './search-rows.ts';
export { objectTypeOf } from './object-types.ts';
export { logDisabled } from './list-events.ts';
