import type { StatsSeries } from '../../../sdk/src/index.ts';
import type { Loaded } from '../../data.ts';
import { formatDate, formatMoney, formatPercent, formatWholeMoney } from '../../format.ts';
import type { Address } from '../../frame/address.ts';
import { Chart } from '../../ui/chart.tsx';
import { numberColumn, textColumn } from '../../ui/columns.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatNumber, t } from '../../words.ts';
import { figureColumns } from './figure-columns.tsx';

export type Figure = 'sales' | 'orders' | 'commission' | 'clicks' | 'conversion';
type Point = StatsSeries['points'][number];

export function formatFigure(figure: Figure, value: number | undefined): string {
  if (value === undefined) return '–';
  if (figure === 'sales' || figure === 'commission') return formatMoney(value);
  return figure === 'conversion' ? formatPercent(value) : formatNumber(value);
}

interface DaySeriesProps {
  address: Address;
  figure: Figure;
  /** The figure in words. */
  name: string;
  loaded: Loaded<StatsSeries>;
  /** How many days are shown. The points before them are the period before. */
  days: number;
  /** The table is elsewhere on the screen. */
  isChartOnly?: boolean;
}

/** A figure by day: as a chart, or as a table with the same numbers (`?view=table`). */
export function DaySeries(props: DaySeriesProps) {
  const { address, figure, name, loaded, days, isChartOnly = false } = props;
  const isTable = !isChartOnly && address.get('view') === 'table';
  const all = (loaded.data?.points ?? []).map(withShares);
  // The points of another period belong to other days.
  if (all.length !== days && all.length !== 2 * days) {
    return <Pending error={loaded.error} retry={loaded.retry} height="15.5rem" />;
  }
  const points = all.slice(-days);
  const before = all.slice(0, -days);
  const isMoney = figure === 'sales' || figure === 'commission';
  return (
    <>
      {isTable ? (
        <DayTable points={points} />
      ) : (
        <Chart
          label={t('console-overview.chartLabel', { name })}
          days={points.map(({ date }) => date)}
          values={points.map((point) => valueOf(figure, point))}
          other={
            before.length === 0
              ? undefined
              : {
                  name: t('console-overview.periodBefore'),
                  values: before.map((point) => valueOf(figure, point)),
                }
          }
          format={(value) => formatFigure(figure, value)}
          formatTick={isMoney ? formatWholeMoney : (value) => formatFigure(figure, value)}
          isWhole={figure === 'orders' || figure === 'clicks'}
        />
      )}
      {!isChartOnly && (
        <Segmented
          label={t('console-overview.view')}
          current={isTable ? 'table' : 'chart'}
          options={[
            { value: 'chart', label: t('console-overview.chart') },
            { value: 'table', label: t('console-overview.table') },
          ]}
          hrefOf={(value) => address.hrefOf({ view: value === 'table' ? value : undefined })}
        />
      )}
    </>
  );
}

/** Commission is what the program costs: with the shares of the levels above. */
function withShares(point: Point): Point {
  return { ...point, commission: point.commission + point.upline_commission };
}

function valueOf(figure: Figure, point: Point): number | null {
  if (figure !== 'conversion') return point[figure];
  return point.clicks > 0 ? point.conversions / point.clicks : null;
}

/** The numbers behind the chart, the newest day first. */
function DayTable({ points }: { points: readonly Point[] }) {
  return (
    <DataTable<Point>
      caption={t('console-overview.figures')}
      rows={points.toReversed()}
      keyOf={({ date }) => date}
      columns={[
        textColumn('date', t('console-overview.date'), 'title', ({ date }) =>
          formatDate(date, 'short'),
        ),
        numberColumn('clicks', t('console-overview.figure.clicks'), 'none', ({ clicks }) => clicks),
        ...figureColumns<Point>('sales'),
      ]}
    />
  );
}
