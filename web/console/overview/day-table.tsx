import type { StatsSeries } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Money } from '../../ui/money.tsx';
import { formatNumber, t } from '../../words.ts';
import { OrderCount } from './order-count.tsx';

type Point = StatsSeries['points'][number];

/** The numbers behind the chart, the newest day first. */
export function DayTable({ points }: { points: readonly Point[] }) {
  return (
    <DataTable
      caption={t('console-overview.figures')}
      rows={points.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        {
          key: 'date',
          label: t('console-overview.date'),
          phone: 'title',
          cell: ({ date }) => formatDate(date, 'short'),
        },
        {
          key: 'clicks',
          label: t('console-overview.figure.clicks'),
          isNumber: true,
          phone: 'none',
          cell: ({ clicks }) => formatNumber(clicks),
        },
        {
          key: 'orders',
          label: t('console-overview.figure.orders'),
          isNumber: true,
          phone: 'detail',
          cell: ({ orders }) => <OrderCount count={orders} />,
        },
        {
          key: 'sales',
          label: t('console-overview.figure.sales'),
          isNumber: true,
          phone: 'aside',
          cell: ({ sales }) => <Money amount={sales} />,
        },
        {
          key: 'commission',
          label: t('console-overview.figure.commission'),
          isNumber: true,
          phone: 'state',
          cell: ({ commission }) => <Money amount={commission} />,
        },
      ]}
    />
  );
}
