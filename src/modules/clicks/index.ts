export { findCreditedClick, findNamedClicks, markConversion, type NamedClicks } from './credit.ts';
export { conversionRate } from './conversion-rate.ts';
