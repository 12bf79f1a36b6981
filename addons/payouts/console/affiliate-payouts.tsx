import type { ReviewPayout } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import type { TabProps } from '../../../web/console/affiliates/tab-props.ts';
import { useData } from '../../../web/data.ts';
import { dateColumn, moneyColumn, textColumn } from '../../../web/ui/columns.tsx';
import type { Column } from '../../../web/ui/data-table.tsx';
import { EmptyState } from '../../../web/ui/empty-state.tsx';
import { Listing } from '../../../web/ui/listing.tsx';
import { t } from '../../../web/words.ts';
import { StatePill } from './payout-columns.tsx';

const PER_PAGE = 25;

/** The tab of an affiliate with its payouts. */
export function AffiliatePayouts({ affiliate: { id }, address }: TabProps) {
  const { page } = address;
  const list = useData('affiliates', { id, part: 'payouts', page }, () =>
    api.payouts.search({ affiliate: id, page, per_page: PER_PAGE }),
  );
  const columns: readonly Column<ReviewPayout>[] = [
    textColumn('number', t('console-affiliates.payout'), 'title', (payout) => String(payout.id)),
    dateColumn('date', t('console-affiliates.date'), 'detail', ({ created_at }) => created_at),
    textColumn('code', t('console-affiliates.code'), 'none', ({ coupon }) => coupon.code),
    {
      key: 'state',
      label: t('console-affiliates.state'),
      phone: 'state',
      cell: ({ status }) => <StatePill status={status} />,
    },
    moneyColumn('amount', t('console-affiliates.amount'), 'aside', ({ amount }) => amount),
  ];
  return (
    <Listing
      caption={t('console-affiliates.tab.payouts')}
      filters={[]}
      empty={
        <EmptyState title={t('console-affiliates.none.payouts.title')}>
          {t('console-affiliates.none.payouts.text')}
        </EmptyState>
      }
      {...{ address, list, columns }}
      keyOf={(payout) => payout.id}
      hrefOf={(payout) => `/console/payouts/${payout.id}`}
    />
  );
}
