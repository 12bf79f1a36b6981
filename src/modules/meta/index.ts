export { getOpenApi, getStoreOpenApi } from './get-openapi.ts';
export { storeUrl } from './show-landing.ts';
