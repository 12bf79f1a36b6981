import Type from 'typebox';
import type { GatewayPayout } from '../extension.ts';
import type { PayoutMethod } from './method.ts';

/** Counts as paid immediately: the store reads `payout.paid` from the change feed and books the credit. */
const paid = async ({ payout_id }: GatewayPayout) =>
  ({ status: 'paid', transaction_id: `credit-${payout_id}` }) as const;

export const storeCredit: PayoutMethod = {
  type: 'credit',
  label: 'Store credit',
  details: Type.Object({}, { additionalProperties: false }),
  mask: () => 'store credit',
  gateway: () => ({ method_type: 'credit', label: 'Store credit', pay: paid, ask: paid }),
};
