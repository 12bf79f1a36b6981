export { countAllAffiliates, selectAffiliates } from './affiliate-store.ts';
export { createAffiliate } from './create-affiliate.ts';
