export { emitCommission } from './commission-events.ts';
export { GatheredMovements, post, setAside, type Pool } from './journal.ts';
export { postEarnings, type Earnings } from './post-earnings.ts';
export { ledgerAudits, verifyLedger, type Difference, type LedgerAudit } from './verify-ledger.ts';
