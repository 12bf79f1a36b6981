export { landingActions, siteName, storeUrl } from './show-landing.ts';
export { hasAmounts, storeCurrency, storeTimeZone } from './store-settings.ts';
