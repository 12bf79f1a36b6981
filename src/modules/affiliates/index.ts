export { requireAffiliate } from './affiliate.ts';
export { findAffiliate, type AffiliateRow } from './affiliate-store.ts';
export { createAffiliate } from './create-affiliate.ts';
export { countAllAffiliates } from './affiliate-store.ts';
