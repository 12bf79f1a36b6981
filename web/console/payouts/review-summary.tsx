import type { PayoutDryRun } from '../../../sdk/src/index.ts';
import { Button } from '../../ui/button.tsx';
import { ItemList } from '../../ui/item-list.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import { methodName, reasonOf } from './payout-words.tsx';
import { leaveOut, type Chosen } from './selection.ts';

interface ReviewSummaryProps {
  preview: PayoutDryRun;
  payouts: readonly Chosen[];
  stale: boolean;
}

/** What the change would do: the sums per method, what is missing, and the balances before and after. */
export function ReviewSummary({ preview, payouts, stale }: ReviewSummaryProps) {
  return (
    <div class="review-summary" data-stale={stale}>
      <MethodTable preview={preview} />
      <BalanceTable ledger={preview.ledger} />
      {([true, false] as const).map((blocks) => (
        <Problems
          key={String(blocks)}
          blocks={blocks}
          problems={preview.problems.filter((problem) => problem.blocks === blocks)}
          payouts={payouts}
        />
      ))}
    </div>
  );
}

function MethodTable({ preview: { methods, count, total } }: { preview: PayoutDryRun }) {
  return (
    <table class="review-table">
      <caption>{t('console-payouts.review.methods')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('console-payouts.method')}</th>
          <th scope="col">{t('console-payouts.payouts')}</th>
          <th scope="col">{t('console-payouts.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {methods.map((row) => (
          <tr key={row.method_type}>
            <th scope="row">{methodName(row.method_type, row.method)}</th>
            <td>{row.count}</td>
            <td>
              <Money amount={row.total} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('console-payouts.review.total')}</th>
          <td>{count}</td>
          <td>
            <Money amount={total} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const pools = ['unpaid', 'pending_payout', 'paid'] as const;

function BalanceTable({ ledger: { before, after } }: { ledger: PayoutDryRun['ledger'] }) {
  return (
    <table class="review-table">
      <caption>{t('console-payouts.review.balances')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('console-payouts.review.pool')}</th>
          <th scope="col">{t('console-payouts.review.before')}</th>
          <th scope="col">{t('console-payouts.review.after')}</th>
        </tr>
      </thead>
      <tbody>
        {pools.map((pool) => (
          <tr key={pool} data-changed={before[pool] !== after[pool]}>
            <th scope="row">{t(`console-payouts.pool.${pool}`)}</th>
            <td>
              <Money amount={before[pool]} />
            </td>
            <td>
              <Money amount={after[pool]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ProblemsProps {
  /** Whether the payouts would stay as they are, or only should be looked at first. */
  blocks: boolean;
  problems: PayoutDryRun['problems'];
  payouts: readonly Chosen[];
}

function Problems({ blocks, problems, payouts }: ProblemsProps) {
  if (problems.length === 0) return null;
  const byId = new Map(payouts.map((payout) => [payout.id, payout]));
  const ids = [...new Set(problems.map(({ payout_id }) => payout_id))];
  return (
    <section class="stack" aria-labelledby={`problems-${blocks}`}>
      <div class="review-problems-head">
        <h3 id={`problems-${blocks}`}>
          {blocks
            ? t('console-payouts.review.blocked', { count: ids.length })
            : t('console-payouts.review.warned', { count: ids.length })}
        </h3>
        <Button kind="quiet" onClick={() => leaveOut(ids)}>
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
