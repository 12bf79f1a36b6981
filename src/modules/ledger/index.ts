export { emitCommission } from './commission-events.ts';
export { post } from './journal.ts';
export { verifyLedger } from './verify-ledger.ts';
