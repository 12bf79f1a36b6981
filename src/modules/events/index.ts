export { emit } from './emit.ts';
export { putEventsInOrder, putSomeEventsInOrder } from './sequence-events.ts';
