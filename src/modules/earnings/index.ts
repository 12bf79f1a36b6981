export { rejectedReferrals } from './orders/rejected-orders.ts';
export { requireOwnAffiliate } from './own-affiliate.ts';
