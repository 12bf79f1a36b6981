export { getOpenApi, getStoreOpenApi } from './get-openapi.ts';
