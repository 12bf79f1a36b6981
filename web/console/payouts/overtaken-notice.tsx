import type { Payout, PayoutChange } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import { stateName } from './payout-words.tsx';

interface OvertakenNoticeProps {
  payout: Payout;
  changes: readonly PayoutChange[];
}

/** Says that another person or the gateway changed the payout first: when, and what it is now. */
export function OvertakenNotice({ payout, changes }: OvertakenNoticeProps) {
  const date = changes.at(-1)?.date ?? null;
  const state = stateName(payout.status);
  return (
    <Notice kind="warn">
      {date === null
        ? t('console-payouts.overtaken', { state })
        : t('console-payouts.overtakenAt', { state, date: formatDate(date, 'exact') })}{' '}
      {t('console-payouts.nothingChanged')}
    </Notice>
  );
}
