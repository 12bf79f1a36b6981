import type { TryRunningSubscriptions } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatMoney } from '../../format.ts';
import { formatNumber, t } from '../../words.ts';

/** How many running subscriptions a list of rules concerns, and how much money of their next payments it moves. */
export function RunningEffect({ rules }: TryRunningSubscriptions) {
  const asked = JSON.stringify(rules);
  const { data } = useData('effects', { running: asked }, () =>
    // The text of the same list.
    api.rewards.rules.running({ rules: JSON.parse(asked) as TryRunningSubscriptions['rules'] }),
  );
  return (
    <p class="muted" role="status">
      {data &&
        (data.changed === 0
          ? t('console-rewards.runningNone')
          : t('console-rewards.runningMoves', {
              count: data.changed,
              all: formatNumber(data.subscriptions),
              before: formatMoney(data.before),
              after: formatMoney(data.after),
            }))}{' '}
      {data?.complete === false && t('console-rewards.runningMore')}
    </p>
  );
}
