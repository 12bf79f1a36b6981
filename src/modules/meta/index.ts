export { openApiPublic } from './get-openapi.ts';
export { showReference } from './show-reference.ts';
export {
  affiliateWord,
  hasAmounts,
  siteLanguage,
  siteName,
  storeCurrency,
  storeTimeZone,
  storeUrl,
} from './store-settings.ts';
