import type { Payout } from '../../../sdk/src/index.ts';
import type { PillKind } from '../../../web/ui/pill.tsx';
import type { TimelineStep } from '../../../web/ui/timeline.tsx';
import { t } from '../../../web/words.ts';

export type PayoutStatus = Payout['status'];

export const stateKinds: Record<PayoutStatus, PillKind> = {
  pending: 'warn',
  created: 'accent',
  processing: 'accent',
  paid: 'good',
  failed: 'bad',
  cancel: 'plain',
};

const isOver: Record<PayoutStatus, boolean> = {
  pending: false,
  created: false,
  processing: false,
  paid: true,
  failed: true,
  cancel: true,
};

interface Change {
  readonly status: PayoutStatus;
  readonly date: string | null;
}

/** What has happened to a payout, and what is still to come. */
export function stepsOf(changes: readonly Change[]): TimelineStep[] {
  const current = changes.at(-1)!.status;
  // The request itself is done; its review is the step that it is at.
  const isInReview = current === 'pending';
  const past = changes.map(({ status, date }, position): TimelineStep => {
    const isRequest = position === 0 && status === 'pending';
    return {
      title: isRequest ? t('portal-money.requested') : t(`portal-money.payoutState.${status}`),
      date,
      state: status === 'failed' || status === 'cancel' ? 'bad' : 'done',
      isCurrent: position === changes.length - 1 && !isInReview,
    };
  });
  const review = stepAhead(t('portal-money.payoutState.pending'), true);
  const paid = stepAhead(t('portal-money.payoutState.paid'), false);
  return [...past, ...(isInReview ? [review] : []), ...(isOver[current] ? [] : [paid])];
}

function stepAhead(title: string, isCurrent: boolean): TimelineStep {
  return { title, date: null, state: 'ahead', isCurrent };
}
