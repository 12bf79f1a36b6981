import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { handOvers } from '../coupons/index.ts';
import { adjustCoupon } from './adjust-coupon.ts';
import { commissionAdded, commissionRemoved } from './commission-events.ts';
import { moveBalance } from './hand-over.ts';
import { listLedger } from './list-ledger.ts';
import { migrations } from './migrations.ts';
import { verifyLedger } from './verify-ledger.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  summary: 'The ledger of commissions and the balances derived from it',
  addon: false,
  operations: [adjustCoupon, listLedger, verifyLedger],
  events: [commissionAdded, commissionRemoved],
  migrations,
  contributions: [contribute(handOvers, moveBalance)],
});
