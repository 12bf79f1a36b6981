export { requireOwnAffiliate } from './own-affiliate.ts';
