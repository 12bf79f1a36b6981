export { payoutIds } from './statement/statement.ts';
export { requireOwnAffiliate } from './own-affiliate.ts';
