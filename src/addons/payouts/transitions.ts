import type { EventDefinition } from '../../kernel/declare/event.ts';
import type { Pool } from '../../modules/ledger/index.ts';
import {
  payoutCancelled,
  payoutCreated,
  payoutFailed,
  payoutPaid,
  payoutReopened,
  payoutReversed,
} from './payout-events.ts';

/** What a client may ask for; the service itself also uses `processing` and `failed`. */
export const statuses = ['pending', 'created', 'paid', 'cancel'] as const;
export const allStatuses = [...statuses, 'processing', 'failed'] as const;
export type PayoutStatus = (typeof allStatuses)[number];

/** The statuses as people read them. */
export const statusWords: Record<PayoutStatus, string> = {
  pending: 'To review',
  created: 'Approved, being paid',
  processing: 'At the gateway',
  paid: 'Paid',
  failed: 'Failed, owed again',
  cancel: 'Cancelled',
};

/** The pool that a payout's amount is in. */
export const poolOf: Record<PayoutStatus, Pool> = {
  pending: 'pending_payout',
  created: 'pending_payout',
  processing: 'pending_payout',
  paid: 'paid',
  cancel: 'unpaid',
  failed: 'unpaid',
};

type Transitions = Partial<Record<PayoutStatus, Partial<Record<PayoutStatus, EventDefinition>>>>;

/** What people may change, and the event that tells of it. A pair that is not here is refused. */
export const byHand: Transitions = {
  pending: { created: payoutCreated, paid: payoutPaid, cancel: payoutCancelled },
  created: { pending: payoutReopened, paid: payoutPaid, cancel: payoutCancelled },
  paid: { pending: payoutReversed, created: payoutReversed, cancel: payoutCancelled },
  cancel: { pending: payoutReopened, created: payoutReopened },
};

/** What a gateway's word changes; a payment may come back long after it was made. */
export const byGateway: Transitions = {
  processing: { created: payoutCreated, paid: payoutPaid, failed: payoutFailed },
  created: { paid: payoutPaid, failed: payoutFailed },
  paid: { failed: payoutFailed },
};
