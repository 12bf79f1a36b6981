import type { ReviewPayout } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { Pill, type PillKind } from '../../ui/pill.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './tab-props.ts';

const kinds: Record<ReviewPayout['status'], PillKind> = {
  pending: 'warn',
  created: 'accent',
  processing: 'accent',
  paid: 'good',
  failed: 'bad',
  cancel: 'plain',
};

export function PayoutsTab({ affiliate, address }: TabProps) {
  const { id } = affiliate;
  const { page } = address;
  const list = useData('affiliates', { id, part: 'payouts', page }, () =>
    api.payouts.search({ affiliate: id, page, per_page: 25 }),
  );
  const columns: readonly Column<ReviewPayout>[] = [
    {
      key: 'number',
      label: t('console-affiliates.payout'),
      phone: 'title',
      cell: (payout) => String(payout.id),
    },
    {
      key: 'date',
      label: t('console-affiliates.date'),
      phone: 'detail',
      cell: ({ created_at }) => <Moment date={created_at} />,
    },
    {
      key: 'code',
      label: t('console-affiliates.code'),
      phone: 'none',
      cell: ({ coupon }) => coupon.code,
    },
    {
      key: 'state',
      label: t('console-affiliates.state'),
      phone: 'state',
      cell: ({ status }) => (
        <Pill kind={kinds[status]}>{t(`console-affiliates.payoutState.${status}`)}</Pill>
      ),
    },
    {
      key: 'amount',
      label: t('console-affiliates.amount'),
      isNumber: true,
      phone: 'aside',
      cell: ({ amount }) => <Money amount={amount} />,
    },
  ];
  return (
    <Listing
      address={address}
      caption={t('console-affiliates.tab.payouts')}
      list={list}
      columns={columns}
      keyOf={(payout) => payout.id}
      hrefOf={(payout) => `/console/payouts/${payout.id}`}
      filters={[]}
      empty={
        <EmptyState title={t('console-affiliates.noPayoutsTitle')}>
          {t('console-affiliates.noPayoutsText')}
        </EmptyState>
      }
    />
  );
}
