export { landingActions, siteName, storeUrl } from './show-landing.ts';
export { hasAmounts, siteLanguage, storeCurrency, storeTimeZone } from './store-settings.ts';
