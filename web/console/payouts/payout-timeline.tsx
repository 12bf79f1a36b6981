import type { PayoutTimelineEntry } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { t } from '../../words.ts';
import { stepsOf } from './timeline-steps.ts';
import '../../ui/timeline.css';
import './payout-timeline.css';

/** Everything that happened to a payout, the newest first: changes, calls of the gateway, mails, ledger entries. */
export function PayoutTimeline({ entries }: { entries: readonly PayoutTimelineEntry[] }) {
  return (
    <Card labelledBy="timeline-title">
      <h2 id="timeline-title">{t('console-payouts.timeline.title')}</h2>
      <ol class="timeline payout-timeline" aria-labelledby="timeline-title">
        {stepsOf(entries)
          .toReversed()
          .map(({ kind, at, title, detail, actor, isBad }, position) => (
            <li key={position} data-kind={kind} data-state={isBad ? 'bad' : 'done'}>
              {title}
              {detail !== undefined && <span class="timeline-date">{detail}</span>}
              <span class="timeline-date">
                {actor === undefined
                  ? formatDate(at, 'exact')
                  : t('console-payouts.timeline.by', {
                      date: formatDate(at, 'exact'),
                      name: actor,
                    })}
              </span>
            </li>
          ))}
      </ol>
    </Card>
  );
}
