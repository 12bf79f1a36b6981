import Type from 'typebox';
import type { GatewayPayout } from '../extension.ts';
import type { PayoutMethod } from '../method.ts';

/** Store credit: the store reads of it in the change feed. It is paid the moment it is begun. */
const paid = async ({ payout_id }: GatewayPayout) =>
  ({ status: 'paid', transaction_id: `credit-${payout_id}` }) as const;

export const storeCredit: PayoutMethod = {
  type: 'credit',
  label: 'Store credit',
  details: Type.Object({}, { additionalProperties: false }),
  mask: () => 'store credit',
  gateway: () => ({ method_type: 'credit', label: 'Store credit', pay: paid, ask: paid }),
};
