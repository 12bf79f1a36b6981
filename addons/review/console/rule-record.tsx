import type { ReviewRule } from '../../../sdk/src/index.ts';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { refresh } from '../../../web/data.ts';
import { Button } from '../../../web/ui/button.tsx';
import { useBusy } from '../../../web/ui/busy.ts';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';

export const refreshRules = () => refresh(['cases', { part: 'rules' }]);

/** How many cases a rule opened in 90 days, and how many of the decided ones were right; undefined for none. */
function recordOf({ hits, confirmed, false_alarms }: ReviewRule): string | undefined {
  if (hits === 0) return undefined;
  const decided = confirmed + false_alarms;
  const found = t('console-review.hits', { count: hits });
  return decided === 0
    ? found
    : `${found} ${t('console-review.confirmed', { count: decided, confirmed })}`;
}

/** What became of the cases of a rule, and the proposal to turn off one that is mostly wrong. */
export function RuleRecord({ rule }: { rule: ReviewRule }) {
  const { name, turn_off_proposed: isProposed } = rule;
  const { isBusy, error, run } = useBusy();
  const record = recordOf(rule);
  if (record === undefined) return null;
  return (
    <>
      <p>{record}</p>
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
