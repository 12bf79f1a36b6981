export { emit } from './emit.ts';
export { findEventsOf } from './events-of-object.ts';
export { sequenceEvents, sequenceSomeEvents } from './sequence-events.ts';
export { countEvents, pollEvents } from './event-store.ts';
