export {
  checkDiscount,
  Discount,
  discountFields,
  discountSchemas,
  toDiscount,
  toDiscountColumn,
} from './discount.ts';
export { createGroup } from './create-group.ts';
export { findGroupByName } from './group-rows.ts';
export { GroupName } from './group-wire.ts';
export { checkRates, rateFields, rateSchemas, setsRates, toRateColumns, toRates } from './rates.ts';
export { rateColumns, type RateColumns } from './tables.ts';
