import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysBefore, formatMoney, formatWholeMoney } from '../../format.ts';
import type { Address } from '../../frame/address.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatNumber, t } from '../../words.ts';
import { DaySeries } from '../overview/day-series.tsx';
import type { Period } from './period.tsx';

const figures = ['sales', 'commission', 'orders', 'clicks'] as const;
/** As many points as the API has in one series. */
const POINTS_MAX = 400;

function FigureChoice({ address }: { address: Address }) {
  return (
    <Segmented
      label={t('console-reports.figure')}
      current={figureOf(address)}
      options={figures.map((value) => ({ value, label: t(`console-reports.figure.${value}`) }))}
      hrefOf={(value) => address.hrefOf({ figure: value === 'sales' ? undefined : value })}
    />
  );
}

function figureOf(address: Address) {
  return address.oneOf('figure', figures) ?? 'sales';
}

function daysOf({ from, to }: Period): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}

/** A figure by day, with the line of the period before as far as the API reaches. */
export function ReportChart({ address, period }: { address: Address; period: Period }) {
  const days = daysOf(period);
  const from = 2 * days <= POINTS_MAX ? daysBefore(period.from, days) : period.from;
  const loaded = useData('reports', { part: 'series', from, to: period.to }, () =>
    api.stats.series({ from, to: period.to, interval: 'day' }),
  );
  const figure = figureOf(address);
  if (days > POINTS_MAX) return null;
  return (
    <Card>
      <FigureChoice address={address} />
      <DaySeries
        address={address}
        figure={figure}
        name={t(`console-reports.figure.${figure}`)}
        loaded={loaded}
        days={days}
        isChartOnly
      />
    </Card>
  );
}

interface ComparisonProps {
  address: Address;
  period: Period;
  kind: 'affiliate' | 'coupon';
  /** Two of this kind. */
  ids: readonly [number, number];
}

/** Two affiliates or coupons by day. */
export function Comparison({ address, period, kind, ids }: ComparisonProps) {
  const { data, error, retry } = useData(
    'reports',
    { part: 'compared', kind, ids, ...period },
    () => Promise.all(ids.map((id) => loaders[kind](id, { ...period, interval: 'day' }))),
  );
  const figure = figureOf(address);
  const isMoney = figure === 'sales' || figure === 'commission';
  const [one, other] = data ?? [];
  const valuesOf = (points: typeof one) => points!.series.points.map((point) => point[figure]);
  const names = data?.map(({ name }) => name) ?? [];
  return (
    <Card labelledBy="compared">
      <h2 id="compared">
        {t('console-reports.compared', { one: names[0] ?? '', other: names[1] ?? '' })}
      </h2>
      <FigureChoice address={address} />
      {one && other ? (
        <Chart
          label={t('console-reports.compared', { one: names[0]!, other: names[1]! })}
          days={one.series.points.map(({ date }) => date)}
          values={valuesOf(one)}
          other={{ name: names[1]!, values: valuesOf(other) }}
          format={isMoney ? formatMoney : formatNumber}
          formatTick={isMoney ? formatWholeMoney : formatNumber}
          isWhole={!isMoney}
        />
      ) : (
        <Pending error={error} retry={retry} height="15.5rem" />
      )}
    </Card>
  );
}

type SeriesInput = Period & { interval: 'day' };

const loaders = {
  async affiliate(id: number, input: SeriesInput) {
    const [{ user }, series] = await Promise.all([
      api.affiliates.get(id),
      api.affiliates.stats.series(id, input),
    ]);
    return { name: user.display_name, series };
  },
  async coupon(id: number, input: SeriesInput) {
    const [{ code }, series] = await Promise.all([
      api.coupons.get(id),
      api.coupons.stats.series(id, input),
    ]);
    return { name: code, series };
  },
};
