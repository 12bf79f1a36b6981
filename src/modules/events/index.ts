export { emit } from './emit.ts';
export { findEventsOf } from './events-of-object.ts';
export { sequenceEvents, sequenceSomeEvents } from './sequence-events.ts';
export { countEvents, pollEvents } from './event-store.ts';
export { checkEventFilter, eventFilterParameters, requireLog, toSearch } from './search-events.ts';
export { findEvents } from './search-store.ts';
export { objectTypeOf } from './object-types.ts';
export { logDisabled } from './list-events.ts';
