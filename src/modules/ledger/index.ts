export { emitCommission } from './commission-events.ts';
export { post, type Pool } from './journal.ts';
export { verifyLedger } from './verify-ledger.ts';
