export { landingActions, siteName, storeUrl } from './show-landing.ts';
export {
  affiliateWord,
  hasAmounts,
  siteLanguage,
  storeCurrency,
  storeTimeZone,
} from './store-settings.ts';
