import type { PayoutChange } from '../../../sdk/src/index.ts';
import { Card } from '../../ui/card.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { t } from '../../words.ts';
import { stateName } from './payout-words.tsx';

/** What happened to a payout, in order. */
export function PayoutTimeline({ changes }: { changes: readonly PayoutChange[] }) {
  return (
    <Card labelledBy="timeline-title">
      <h2 id="timeline-title">{t('console-payouts.timeline.title')}</h2>
      <Timeline
        label={t('console-payouts.timeline.title')}
        steps={changes.map(({ status, date }, position) => ({
          title: stateName(status),
          date,
          state: status === 'failed' || status === 'cancel' ? 'bad' : 'done',
          isCurrent: position === changes.length - 1,
        }))}
      />
    </Card>
  );
}
