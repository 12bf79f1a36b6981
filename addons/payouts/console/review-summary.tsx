import type { PayoutDryRun } from '../../../sdk/src/index.ts';
import { Money } from '../../../web/ui/money.tsx';
import { t } from '../../../web/words.ts';
import { methodName } from './payout-words.ts';
import { ProblemList } from './problem-list.tsx';
import { leaveOut, type Chosen } from './selection.ts';

interface ReviewSummaryProps {
  preview: PayoutDryRun;
  payouts: readonly Chosen[];
  stale: boolean;
}

/** What the change would do: the sums per method, what is missing, and the balances before and after. */
export function ReviewSummary({ preview, payouts, stale }: ReviewSummaryProps) {
  const blocked = preview.problems.filter(({ blocks }) => blocks);
  const warned = preview.problems.filter(({ blocks }) => !blocks);
  return (
    <div class="review-summary" data-stale={stale}>
      <MethodTable preview={preview} />
      <BalanceTable ledger={preview.ledger} />
      <ProblemList
        title={t('console-payouts.review.blocked', { count: blocked.length })}
        problems={blocked}
        payouts={payouts}
        onLeaveOut={leaveOut}
      />
      <ProblemList
        title={t('console-payouts.review.warned', { count: warned.length })}
        problems={warned}
        payouts={payouts}
        onLeaveOut={leaveOut}
      />
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
