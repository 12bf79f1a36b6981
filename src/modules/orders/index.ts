export { applyStatusesNow } from './resettle/apply-statuses.ts';
export {
  referralHooks,
  type ChangeContext,
  type PrepareReferralHook,
  type ReferralChange,
} from './settle-referral.ts';
export { isSelfReferral } from './credited-referral.ts';
export { heldIn, heldSums, listHolds, releasesIn, type Hold } from './holds.ts';
export { isOwnPurchase, ownOrderBy } from './own-order.ts';
export { batchOrders, storeBatch } from './batch-orders.ts';
export { orderFields } from './order-fields.ts';
export { customersAsked } from './customers/customer-links.ts';
export { asChanged, recomputeCommission } from './stored-order.ts';
export { ingestOrders } from './ingest-orders.ts';
export type { IncomingOrder, StoredOrder } from './incoming-order.ts';
export { lockManyOrders, lockOrders } from './order-locks.ts';
export { decideHistory } from './resettle/decide-history.ts';
export { customerKey, customerKeyOf, hashCustomer } from './customers/hash-customer.ts';
export { type PreparedOrder } from './order-input.ts';
export { NO_ORDER_ID, readOrder } from './read-order.ts';
export { rollBackOrder, TriedOrderSchema } from './try-order.ts';
export {
  countOrdersUpTo,
  findOrder,
  findOrdersToChange,
  type OrderRow,
  type ReferralRow,
} from './order-rows.ts';
export { isOutdated } from './resettle/outdated-rows.ts';
export {
  countedStatuses,
  delayDays,
  lifetimeAttribution,
  allowSelf,
  maxPerOrder,
  openStatuses,
  orderStatuses,
  type OrderStatus,
} from './settings.ts';
export {
  referredOrderColumns,
  ReferredOrderSchema,
  toCurrencies,
  toReferredOrder,
  type ReferredOrderRow,
} from './order-wire.ts';
export type { OrderInput } from './order-fields.ts';
export { releaseHeld } from './resettle/release-held.ts';
export {
  findRejected,
  isInReview,
  ownOrderPolicy,
  referralChecks,
  rejectedReferrals,
  restraints,
  UNTIL_DECIDED,
  type CheckScope,
  type NewReferral,
  type PrepareReferralCheck,
  type ReadRestraints,
} from './restraints.ts';
export { resettleOrders, settleAgain } from './resettle/settle-again.ts';
export { counterColumns, type CounterColumn, type ReferralState } from './tables.ts';
export { countersOf, dayExpressions, statusOf } from './commission/counters-of.ts';
export { isGranted } from './commission/referral-terms.ts';
export { collectedColumn, sumCollected } from './commission/fact-rows.ts';
export { dryRun, triedSettings, type DryRunPlan } from './dry-run/dry-run.ts';
export { effectOnRunning } from './dry-run/next-payments.ts';
export type { TriedReferral } from './dry-run/try-orders.ts';
