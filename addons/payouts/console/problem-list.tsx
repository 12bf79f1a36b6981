import { Button } from '../../../web/ui/button.tsx';
import { ItemList } from '../../../web/ui/item-list.tsx';
import { Money } from '../../../web/ui/money.tsx';
import { t } from '../../../web/words.ts';
import { reasonOf } from './payout-words.ts';
import type { Chosen } from './selection.ts';

export interface Problem {
  readonly payout_id: number;
  readonly code: string;
  readonly message: string;
}

interface ProblemListProps {
  title: string;
  problems: readonly Problem[];
  /** The payouts that the problems are about. */
  payouts: readonly Chosen[];
  onLeaveOut(ids: readonly number[]): void;
}

/** Payouts that something is the matter with, each with its reasons. Nothing if there is none. */
export function ProblemList({ title, problems, payouts, onLeaveOut }: ProblemListProps) {
  if (problems.length === 0) return null;
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const ids = [...new Set(problems.map(({ payout_id }) => payout_id))];
  return (
    <section class="stack" aria-label={title}>
      <div class="review-problems-head">
        <h3>{title}</h3>
        <Button kind="quiet" onClick={() => onLeaveOut(ids)}>
          {t('console-payouts.review.leaveOut', { count: ids.length })}
        </Button>
      </div>
      <ItemList
        items={ids.map((id) => ({
          key: id,
          title: t('console-payouts.payoutOf', {
            id: String(id),
            name: byId.get(id)?.name ?? '',
          }),
          detail: problems
            .filter(({ payout_id }) => payout_id === id)
            .map(reasonOf)
            .join(' '),
          action: <Money amount={byId.get(id)?.amount ?? 0} />,
        }))}
      />
    </section>
  );
}
