export { listClickDays, type ClickDay } from './click-days-store.ts';
export { convertClicks } from './click-store.ts';
export { hashVisitor, VisitorId } from './click.ts';
export { conversionRate } from './conversion-rate.ts';
export { findCreditableClicks, type CreditableClicks } from './credit.ts';
export { linkParameters, type CompleteLink } from './link-parameters.ts';
export { codeParametersOf, cookieDays } from './settings.ts';
