import type { Pool } from '../../../src/modules/ledger/index.ts';

/** The statuses that a client may set and filter by. The service itself also uses `processing` and `failed`. */
export const clientStatuses = ['pending', 'created', 'paid', 'cancel'] as const;
export const payoutStatuses = [...clientStatuses, 'processing', 'failed'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** How mails and events name the statuses. */
export const statusLabels: Record<PayoutStatus, string> = {
  pending: 'In review',
  created: 'Approved, being paid',
  processing: 'Being processed',
  paid: 'Paid',
  failed: 'Failed',
  cancel: 'Cancelled',
};

/** The ledger pool that holds a payout's amount. */
export const poolOf: Record<PayoutStatus, Pool> = {
  pending: 'pending_payout',
  created: 'pending_payout',
  processing: 'pending_payout',
  paid: 'paid',
  cancel: 'unpaid',
  failed: 'unpaid',
};
