export { readBonuses } from './bonus-rows.ts';
export { bonusesVersion } from './settings.ts';
export { sumReached } from './payment-rows.ts';
export { Counters } from './counters.ts';
