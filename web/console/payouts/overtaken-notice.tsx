import type { Payout, PayoutTimelineEntry } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { stateName } from './payout-words.ts';
import { stepsOf } from './timeline-steps.ts';

interface OvertakenNoticeProps {
  payout: Payout;
  entries: readonly PayoutTimelineEntry[];
}

/** Says that another person or the gateway changed the payout first: who, when, and what it is now. */
export function OvertakenNotice({ payout, entries }: OvertakenNoticeProps) {
  const last = stepsOf(entries).findLast(({ kind }) => kind === 'status');
  const state = stateName(payout.status);
  const date = last ? formatDate(last.at, 'exact') : '';
  return (
    <Notice kind="warn">
      {last?.actor === undefined
        ? t('console-payouts.overtakenAt', { state, date })
        : t('console-payouts.overtakenBy', { state, date, name: last.actor })}{' '}
      {t('console-payouts.nothingChanged')}
    </Notice>
  );
}
