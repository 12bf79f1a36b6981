import { useSearch } from 'wouter-preact';
import type { StatsSeries } from '../../../sdk/src/index.ts';
import { formatDate, formatMoney, formatPercent, formatWholeMoney } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatNumber, t } from '../../words.ts';
import { withQuery } from '../../frame/navigation.ts';

export const metrics = ['earned', 'orders', 'clicks', 'conversion'] as const;
type Metric = (typeof metrics)[number];
type Point = StatsSeries['points'][number];

/** The value of a figure over some days; undefined where there is nothing to divide by. */
export function valueOf(metric: Metric, points: readonly Point[]): number | undefined {
  const sum = (figure: (point: Point) => number) =>
    points.reduce((total, point) => total + figure(point), 0);
  if (metric === 'earned') return sum((point) => point.commission + point.upline_commission);
  if (metric === 'orders') return sum((point) => point.orders);
  const clicks = sum((point) => point.clicks);
  if (metric === 'clicks') return clicks;
  return clicks > 0 ? sum((point) => point.conversions) / clicks : undefined;
}

export function formatFigure(metric: Metric, value: number | undefined): string {
  if (value === undefined) return '–';
  if (metric === 'earned') return formatMoney(value);
  return metric === 'conversion' ? formatPercent(value) : formatNumber(value);
}

function formatTick(metric: Metric, value: number): string {
  return metric === 'earned' ? formatWholeMoney(value) : formatFigure(metric, value);
}

/** One figure by day: as a chart, or as a table with the same numbers (`?view=table`). */
export function FigureChart({ metric, points }: { metric: Metric; points: readonly Point[] }) {
  const search = useSearch();
  const view = new URLSearchParams(search).get('view') === 'table' ? 'table' : 'chart';
  const name = t(`portal.home.figure.${metric}`);
  const text = (point: Point, figure: Metric) => formatFigure(figure, valueOf(figure, [point]));
  return (
    <>
      {view === 'chart' ? (
        <Chart
          label={t('portal.home.chartLabel', { name })}
          days={points.map(({ date }) => date)}
          values={points.map((point) => valueOf(metric, [point]) ?? null)}
          format={(value) => formatFigure(metric, value)}
          formatTick={(value) => formatTick(metric, value)}
          isWhole={metric === 'orders' || metric === 'clicks'}
        />
      ) : (
        <DataTable
          caption={t('portal.home.tableCaption')}
          rows={points.toReversed()}
          keyOf={({ date }) => date}
          columns={[
            {
              key: 'date',
              label: t('portal.date'),
              phone: 'title',
              cell: ({ date }) => formatDate(date, 'short'),
            },
            {
              key: 'clicks',
              label: t('portal.home.figure.clicks'),
              isNumber: true,
              phone: 'detail',
              cell: (point) => <Count of="clicks" count={point.clicks} />,
            },
            {
              key: 'orders',
              label: t('portal.home.figure.orders'),
              isNumber: true,
              phone: 'state',
              cell: (point) => <Count of="orders" count={point.orders} />,
            },
            {
              key: 'conversion',
              label: t('portal.home.figure.conversion'),
              isNumber: true,
              phone: 'none',
              cell: (point) => text(point, 'conversion'),
            },
            {
              key: 'earned',
              label: t('portal.home.figure.earned'),
              isNumber: true,
              phone: 'aside',
              cell: (point) => text(point, 'earned'),
            },
          ]}
        />
      )}
      <Segmented
        label={t('portal.home.view')}
        current={view}
        options={[
          { value: 'chart', label: t('portal.home.chart') },
          { value: 'table', label: t('portal.home.table') },
        ]}
        hrefOf={(value) =>
          withQuery('/app', search, { view: value === 'table' ? value : undefined })
        }
      />
    </>
  );
}

/** On a phone the heads of the columns are not visible, so the card names its numbers. */
function Count({ of, count }: { of: 'clicks' | 'orders'; count: number }) {
  return (
    <>
      <span class="desktop-only">{formatNumber(count)}</span>
      <span class="phone-only">{t(`portal.links.${of}`, { count })}</span>
    </>
  );
}
