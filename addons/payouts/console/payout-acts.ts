import type { PayoutStatus } from './payout-words.ts';

/** What a person can do with one payout. Each is an address: `?act=approve`. */
export type PayoutAct = 'approve' | 'pay' | 'cancel' | 'reopen' | 'retry' | 'resolve';

/** The status that an act leads to; the other acts have operations of their own. */
export const targets = {
  approve: 'created',
  pay: 'paid',
  cancel: 'cancel',
  reopen: 'pending',
} as const satisfies Partial<Record<PayoutAct, PayoutStatus>>;

/** The usual act first. */
const actsByStatus: Record<PayoutStatus, readonly PayoutAct[]> = {
  pending: ['approve', 'pay', 'cancel'],
  created: ['pay', 'reopen', 'cancel'],
  processing: [],
  failed: ['retry'],
  paid: ['reopen'],
  cancel: ['reopen'],
};

/** To reopen one that was paid takes the payment back in the books, and says so. */
export function namedAct<A extends PayoutAct>(act: A, status: PayoutStatus): A | 'reverse' {
  return act === 'reopen' && status === 'paid' ? 'reverse' : act;
}

export function actsOf(status: PayoutStatus, isUnknown: boolean): readonly PayoutAct[] {
  return isUnknown ? ['resolve'] : actsByStatus[status];
}
