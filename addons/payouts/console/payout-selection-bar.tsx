import type { ReviewPayout } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../../web/format.ts';
import { useBusy } from '../../../web/ui/busy.ts';
import { Button } from '../../../web/ui/button.tsx';
import { t } from '../../../web/words.ts';
import { choose, chooseNone, chosen, CHOSEN_MAX, chosenTotal, toChosen } from './selection.ts';
import type { TabName } from './tabs.ts';
import '../../../web/ui/selection.css';

interface ChooseAllButtonProps {
  /** How many payouts match, on all pages; 0 while that is loading. */
  total: number;
  loadAll(): Promise<readonly ReviewPayout[]>;
}

/** Chooses what matches on all pages, as many as can be changed at once. */
export function ChooseAllButton({ total, loadAll }: ChooseAllButtonProps) {
  const { isBusy, error, run } = useBusy();
  const chooseAll = () => run(async () => choose((await loadAll()).map(toChosen)));
  return (
    <>
      {error && (
        <span class="field-fault" role="alert">
          {error}
        </span>
      )}
      <Button kind="quiet" busy={isBusy || total === 0} onClick={chooseAll}>
        {total === 0
          ? t('console-payouts.chooseAllLoading')
          : t('console-payouts.chooseAll', { count: Math.min(total, CHOSEN_MAX) })}
      </Button>
    </>
  );
}

interface PayoutSelectionBarProps {
  tab: TabName;
  onOpen(dialog: 'review' | 'file' | 'retry'): void;
}

/** How many are chosen, how much they are, and what can be done with them. Nothing while none is chosen. */
export function PayoutSelectionBar({ tab, onOpen }: PayoutSelectionBarProps) {
  const { size } = chosen.value;
  return (
    <div class="selection-bar payout-bar" data-shown={size > 0}>
      <span class="figures" role="status">
        {size > 0 &&
          t('console-payouts.chosen', { number: size, amount: formatMoney(chosenTotal.value) })}
      </span>
      {size > 0 && (
        <>
          <Button kind="quiet" onClick={chooseNone}>
            {t('console-payouts.chooseNone')}
          </Button>
          <span class="selection-actions">
            {tab === 'progress' && (
              <Button kind="quiet" onClick={() => onOpen('file')}>
                {t('console-payouts.file.action')}
              </Button>
            )}
            {tab === 'failed' ? (
              <Button onClick={() => onOpen('retry')}>{t('console-payouts.retry.action')}</Button>
            ) : (
              <Button onClick={() => onOpen('review')}>
                {tab === 'progress'
                  ? `${t('console-payouts.act.paid')}…`
                  : t('console-payouts.review.action')}
              </Button>
            )}
          </span>
        </>
      )}
    </div>
  );
}
