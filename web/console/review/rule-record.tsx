import type { ReviewRule } from '../../../sdk/src/index.ts';
import { act } from '../../act.ts';
import { api } from '../../api.ts';
import { refresh } from '../../data.ts';
import { Button } from '../../ui/button.tsx';
import { useBusy } from '../../ui/busy.ts';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';

export const refreshRules = () => refresh(['cases', { part: 'rules' }]);

/** What became of the cases of a rule, and the proposal to turn off one that is mostly wrong. */
export function RuleRecord({ rule }: { rule: ReviewRule }) {
  const { name, hits, confirmed, false_alarms: falseAlarms, turn_off_proposed: isProposed } = rule;
  const { isBusy, error, run } = useBusy();
  if (hits === 0) return null;
  const decided = confirmed + falseAlarms;
  return (
    <>
      <p>
        {t('console-review.hits', { count: hits })}{' '}
        {decided > 0 && t('console-review.confirmed', { count: decided, confirmed })}
      </p>
      {isProposed && (
        <Notice kind="warn">
          <p class="rule-proposal">{t('console-review.turnOffText')}</p>
          <Button
            type="button"
            kind="quiet"
            busy={isBusy}
            onClick={() =>
              run(async () => {
                await act((options) => api.review.rules.update(name, { action: 'off' }, options));
                await refreshRules();
              })
            }
          >
            {t('console-review.turnOff')}
          </Button>
        </Notice>
      )}
      {error !== undefined && <Notice kind="bad">{error}</Notice>}
    </>
  );
}
