export { createGroup } from './create-group.ts';
export { findGroupByName, type GroupRow } from './group-store.ts';
export { GroupName } from './group-wire.ts';
export { rateFields, rateSchemas, toRateColumns, toRateStrings, type RateInput } from './rates.ts';
