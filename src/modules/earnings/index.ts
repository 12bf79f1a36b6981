export { rejectedReferrals } from './orders/rejected-orders.ts';
export { requireOwnAffiliate } from '../affiliates/index.ts';
