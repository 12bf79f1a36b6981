import type { StatsSeries } from '../../../sdk/src/index.ts';
import { formatDate, formatMoney, formatPercent, formatWholeMoney } from '../../format.ts';
import { textColumn } from '../../ui/columns.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatNumber, t } from '../../words.ts';
import { useAddress } from '../../frame/address.ts';

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

/** On the card of a day on a phone. */
const places = { clicks: 'detail', orders: 'state', conversion: 'none', earned: 'aside' } as const;

/** One figure by day: as a chart, or as a table with the same numbers (`?view=table`). */
export function FigureChart({ metric, points }: { metric: Metric; points: readonly Point[] }) {
  const address = useAddress('/app');
  const view = address.oneOf('view', ['table']) ?? 'chart';
  const name = t(`portal.home.figure.${metric}`);
  return (
    <>
      {metric === 'conversion' && <p class="muted">{t('portal.home.conversionMeans')}</p>}
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
            textColumn<Point>('date', t('portal.date'), 'title', ({ date }) =>
              formatDate(date, 'short'),
            ),
            ...(['clicks', 'orders', 'conversion', 'earned'] as const).map((figure) => ({
              key: figure,
              label: t(`portal.home.figure.${figure}`),
              isNumber: true,
              phone: places[figure],
              cell: (point: Point) => formatFigure(figure, valueOf(figure, [point])),
            })),
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
        hrefOf={(value) => address.hrefOf({ view: value === 'table' ? value : undefined })}
      />
    </>
  );
}
