export { listClickDays, type ClickDay } from './click-days-rows.ts';
export { convertClicks, findClickable } from './click-rows.ts';
export { clickOrigins, type KeepOrigin } from './click-origin.ts';
export { CAMPAIGN_LENGTH_MAX, hashVisitor, OTHER_SUBS, VisitorId } from './click.ts';
export { conversionRate } from './conversion-rate.ts';
export { findCreditableClicks } from './credit.ts';
export { linkParameters, type CompleteLink } from './link-parameters.ts';
export {
  readOrderSources,
  inheritOrderSource,
  storeOrderSources,
  listSourceClicks,
  toOrderSource,
  type OrderSource,
} from './source-rows.ts';
export { clickableCreatives, creativeNames, nameCreatives } from './source.ts';
export { perSub, subNames } from './sub-names.ts';
export { codeParametersOf, cookieDays } from './settings.ts';
