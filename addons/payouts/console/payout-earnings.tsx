import { Link } from 'wouter-preact';
import type { LedgerEntry, Payout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { useAddress } from '../../../web/frame/address.ts';
import { Card } from '../../../web/ui/card.tsx';
import { moneyColumn, relativeDateColumn } from '../../../web/ui/columns.tsx';
import { DataTable, type Column } from '../../../web/ui/data-table.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Pager } from '../../../web/ui/pager.tsx';
import { t } from '../../../web/words.ts';

const PER_PAGE = 12;

const columns = (): Column<LedgerEntry>[] => [
  {
    key: 'what',
    label: t('console-payouts.earnings.what'),
    phone: 'title',
    cell: ({ kind, order_id, note }) =>
      kind === 'order' && order_id !== null ? (
        <Link class="earning" href={`/console/orders?order=${order_id}`}>
          {t('console-payouts.earnings.order', { number: String(order_id) })}
        </Link>
      ) : (
        note
      ),
  },
  relativeDateColumn('date', t('console-payouts.date'), 'detail', ({ date }) => date),
  moneyColumn('amount', t('console-payouts.amount'), 'aside', ({ from, amount }) =>
    from === 'unpaid' ? -amount : amount,
  ),
];

/** The orders and other ledger lines that add up to the amount of the payout. */
export function PayoutEarnings({ payout: { id } }: { payout: Payout }) {
  const { page, hrefOf } = useAddress(`/console/payouts/${id}`);
  const { data, error, stale, retry } = useData('payouts', { id, part: 'earnings', page }, () =>
    api.payouts.earnings.list(id, { page, per_page: PER_PAGE }),
  );
  return (
    <Card title={t('console-payouts.earnings.title')}>
      {!data && <Pending error={error} retry={retry} lines={4} />}
      {data?.items.length === 0 && <p class="muted">{t('console-payouts.earnings.none')}</p>}
      {data && data.items.length > 0 && (
        <DataTable
          caption={t('console-payouts.earnings.title')}
          columns={columns()}
          rows={data.items}
          keyOf={(entry) => entry.id}
          stale={stale}
        />
      )}
      {data && (
        <Pager
          label={t('console-payouts.earnings.pages')}
          page={page}
          pages={data.pages}
          hrefOf={(other) => hrefOf({ page: other === 1 ? undefined : String(other) })}
        />
      )}
    </Card>
  );
}
