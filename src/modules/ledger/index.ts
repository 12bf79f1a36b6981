export {
  findAccountPart,
  listAccountEntries,
  type AccountEntry,
  type AccountPart,
} from './account-rows.ts';
export { emitCommission } from './commission-events.ts';
export {
  countEntriesPaidOut,
  findEntriesPaidOut,
  listEntriesPaidOut,
} from './entries-paid-out-rows.ts';
export { findEntriesOfPayout, listEntries } from './ledger-rows.ts';
export { orderMoves, ordersThatStay } from './hand-over.ts';
export { EntrySchema, toEntry } from './ledger-wire.ts';
export {
  couponsTakenFrom,
  lockAtFlush,
  lockBalances,
  post,
  postEarnings,
  setAside,
  type LockedOwners,
} from './ledger.ts';
export {
  payoutObjections,
  payoutHolders,
  payoutRecords,
  payoutRequests,
  payoutReturns,
  samePayees,
  takenCommissions,
  type CheckPayoutRequest,
  type FindSamePayee,
  type FindTakenCommission,
  type PayoutHolders,
  type ObjectToPayouts,
  type TakenCommission,
} from './payout-points.ts';
export { type Pool } from './tables.ts';
export { UnpaidBalance } from './unpaid-balance.ts';
export { ROWS_AT_ONCE } from './audit-slices.ts';
export { type Difference } from './difference.ts';
export {
  ledgerAudits,
  verifyLedger,
  wholeAudits,
  type LedgerAudit,
  type WholeAudit,
} from './verify-ledger.ts';
