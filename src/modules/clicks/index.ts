export { findCreditedClick, markConversion } from './credit.ts';
export { conversionRate } from './conversion-rate.ts';
