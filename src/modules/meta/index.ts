export { getOpenApi, getStoreOpenApi } from './get-openapi.ts';
export { siteName, storeUrl } from './show-landing.ts';
