export { rejectedReferrals } from './orders/rejected-orders.ts';
