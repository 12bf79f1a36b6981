export {
  affiliateWord,
  affiliateWordsIn,
  hasAmounts,
  siteLanguage,
  siteName,
  storeCurrency,
  storeTimeZone,
  storeUrl,
  webEnabled,
} from './settings.ts';
