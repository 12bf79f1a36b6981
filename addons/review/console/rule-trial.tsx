import { useState } from 'preact/hooks';
import type { ReviewRule, TriedReviewRule } from '../../../sdk/src/index.ts';
import { act } from '../../../web/act.ts';
import { api } from '../../../web/api.ts';
import { formatMoney } from '../../../web/format.ts';
import { useBusy } from '../../../web/ui/busy.ts';
import { Notice } from '../../../web/ui/notice.tsx';
import { StatusLine } from '../../../web/ui/status-line.tsx';
import { t } from '../../../web/words.ts';

/** Tries a rule on the last 90 days, with thresholds that need not be saved. */
export function useTrial(name: ReviewRule['name']) {
  const { isBusy, error, run } = useBusy();
  const [found, setFound] = useState<TriedReviewRule>();
  return {
    isBusy,
    error,
    found,
    run: (thresholds: object) => {
      setFound(undefined);
      run(async () =>
        setFound(await act((options) => api.review.rules.try(name, thresholds, options))),
      );
    },
  };
}

/** What the rule would have found, in a sentence. */
export function Trial({ found, error }: Pick<ReturnType<typeof useTrial>, 'found' | 'error'>) {
  return (
    <>
      {error !== undefined && <Notice kind="bad">{error}</Notice>}
      <StatusLine kind={found?.affiliates ? 'warn' : 'good'}>
        {found && sentenceOf(found)}
      </StatusLine>
    </>
  );
}

function sentenceOf({ orders, amount, affiliates }: TriedReviewRule): string {
  if (affiliates === 0) return t('console-review.triedNothing');
  const money = formatMoney(amount);
  if (orders === 0) {
    return t('console-review.triedAffiliates', { count: affiliates, amount: money });
  }
  return t('console-review.tried', { count: orders, amount: money, affiliates });
}
