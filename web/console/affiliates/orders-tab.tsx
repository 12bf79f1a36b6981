import type { AffiliateOrder } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import type { Column } from '../../ui/data-table.tsx';
import { EarningsPill } from '../../ui/earnings-pill.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './tab-props.ts';

export function OrdersTab({ affiliate, address }: TabProps) {
  const { id } = affiliate;
  const { page } = address;
  const list = useData('affiliates', { id, part: 'orders', page }, () =>
    api.affiliates.orders.list(id, { page, per_page: 25 }),
  );
  const columns: readonly Column<AffiliateOrder>[] = [
    {
      key: 'number',
      label: t('console-affiliates.order'),
      phone: 'title',
      cell: ({ order_id }) => String(order_id),
    },
    {
      key: 'date',
      label: t('console-affiliates.date'),
      phone: 'detail',
      cell: ({ date }) => <Moment date={date} />,
    },
    {
      key: 'code',
      label: t('console-affiliates.code'),
      phone: 'none',
      cell: ({ coupon_code }) => coupon_code,
    },
    {
      key: 'state',
      label: t('console-affiliates.state'),
      phone: 'state',
      cell: ({ state }) => <EarningsPill state={state} />,
    },
    {
      key: 'sales',
      label: t('console-affiliates.sales'),
      isNumber: true,
      phone: 'none',
      cell: ({ sales }) => <Money amount={sales} />,
    },
    {
      key: 'commission',
      label: t('console-affiliates.commission'),
      isNumber: true,
      phone: 'aside',
      cell: ({ commission, expected }) =>
        expected === null ? (
          <Money amount={commission} />
        ) : (
          <span class="muted">
            <Money amount={expected} />
          </span>
        ),
    },
  ];
  return (
    <Listing
      address={address}
      caption={t('console-affiliates.tab.orders')}
      list={list}
      columns={columns}
      keyOf={({ order_id, coupon_id }) => `${order_id} ${coupon_id}`}
      hrefOf={({ order_id }) => `/console/orders/${order_id}`}
      filters={[]}
      empty={
        <EmptyState title={t('console-affiliates.noOrdersTitle')}>
          {t('console-affiliates.noOrdersText')}
        </EmptyState>
      }
    />
  );
}
