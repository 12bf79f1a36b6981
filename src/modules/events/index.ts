export { emit, GatheredEvents } from './emit.ts';
export { putEventsInOrder } from './order-events.ts';
