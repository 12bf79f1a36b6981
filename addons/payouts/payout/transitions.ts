import {
  type PayoutMail,
  cancelledMail,
  createdMail,
  failedMail,
  paidMail,
  reopenedMail,
  requestedMail,
  reversedMail,
} from '../mails/payout-mails.ts';
import {
  payoutCancelled,
  payoutCreated,
  payoutFailed,
  payoutPaid,
  payoutReopened,
  payoutRequested,
  payoutReversed,
  type PayoutEvent,
} from './payout-events.ts';
import type { PayoutStatus } from './payout-status.ts';

/** What a change of the status emits, and the mail that the affiliate receives. */
export interface Transition {
  readonly event: PayoutEvent;
  readonly mail: PayoutMail;
}

const requested: Transition = { event: payoutRequested, mail: requestedMail };
const created: Transition = { event: payoutCreated, mail: createdMail };
const paid: Transition = { event: payoutPaid, mail: paidMail };
const reversed: Transition = { event: payoutReversed, mail: reversedMail };
const reopened: Transition = { event: payoutReopened, mail: reopenedMail };
const cancelled: Transition = { event: payoutCancelled, mail: cancelledMail };
const failed: Transition = { event: payoutFailed, mail: failedMail };

/** The key of a payout that does not exist yet. */
const NEW = 'new';

type Transitions = Partial<
  Record<PayoutStatus | typeof NEW, Partial<Record<PayoutStatus, Transition>>>
>;

export type ChangeSource = 'request' | 'admin' | 'gateway';

/** Every change that is allowed, by its source. A pair that is missing is refused. */
const transitions: Record<ChangeSource, Transitions> = {
  request: { [NEW]: { pending: requested, processing: requested } },
  admin: {
    pending: { created, paid, cancel: cancelled },
    created: { pending: reopened, paid, cancel: cancelled },
    paid: { pending: reversed, created: reversed, cancel: cancelled },
    cancel: { pending: reopened, created: reopened },
  },
  // A payment may come back long after it was made, so `paid` can still fail.
  gateway: {
    processing: { created, paid, failed },
    created: { paid, failed },
    paid: { failed },
  },
};

/** @param from Null for a payout that is being opened. */
export function findTransition(
  source: ChangeSource,
  from: PayoutStatus | null,
  to: PayoutStatus,
): Transition | undefined {
  return transitions[source][from ?? NEW]?.[to];
}
