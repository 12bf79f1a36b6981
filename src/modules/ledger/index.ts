export { emitCommission } from './commission-events.ts';
export { post } from './journal.ts';
export { postEarnings, type Earnings } from './post-earnings.ts';
export { verifyLedger } from './verify-ledger.ts';
