export { emit, GatheredEvents } from './emit.ts';
export { putEventsInOrder, putSomeEventsInOrder } from './order-events.ts';
