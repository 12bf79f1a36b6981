import type { StatsSeries } from '../../../sdk/src/index.ts';
import { formatDate } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatNumber, t } from '../../words.ts';
import { figureColumns } from './figure-columns.tsx';

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
        ...figureColumns<Point>('sales'),
      ]}
    />
  );
}
