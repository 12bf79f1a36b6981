export { bonusList } from './bonus-list.ts';
export { sumReached } from './payment-rows.ts';
export { Counters } from './counters.ts';
