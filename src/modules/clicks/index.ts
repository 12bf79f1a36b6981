export { findCreditedClick, markConversion } from './credit.ts';
