export { emit, GatheredEvents } from './emit.ts';
export { putEventsInOrder, putSomeEventsInOrder } from './sequence-events.ts';
