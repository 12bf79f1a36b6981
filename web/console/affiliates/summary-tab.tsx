import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatDate, formatMoney, formatWholeMoney, storeToday } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState, Pending } from '../../ui/error-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatNumber, t } from '../../words.ts';
import type { TabProps } from './list-tabs.tsx';
import { Tiles } from './tiles.tsx';

const DAYS = 90;
const figures = ['sales', 'commission', 'clicks'] as const;

/** Where the money is, and the last 90 days. */
export function SummaryTab({ affiliate, address }: TabProps) {
  const { id } = affiliate;
  const balance = useData('affiliates', { id, part: 'balance' }, () => api.affiliates.balance(id));
  const series = useData('affiliates', { id, part: 'series' }, () =>
    api.affiliates.stats.series(id, { from: daysAgo(DAYS - 1), to: storeToday(), interval: 'day' }),
  );
  const figure = address.oneOf('figure', figures) ?? 'sales';
  const isTable = address.get('view') === 'table';
  const points = series.data?.points ?? [];
  const isMoney = figure !== 'clicks';
  const name = t(`console-affiliates.${figure}`);
  const money = balance.data;
  return (
    <>
      <Card labelledBy="balances">
        <h2 id="balances">{t('console-affiliates.balances')}</h2>
        {money ? (
          <Tiles
            isLarge
            facts={(
              ['available', 'on_hold', 'awaiting', 'on_its_way', 'paid', 'earned'] as const
            ).map((pool) => ({
              name: t(`console-affiliates.pool.${pool}`),
              value: <Money amount={money[pool]} />,
            }))}
          />
        ) : balance.error === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorState error={balance.error} retry={balance.retry} />
        )}
      </Card>
      <Card labelledBy="chart">
        <div class="affiliate-head">
          <h2 id="chart">{t('console-affiliates.lastDays', { count: DAYS })}</h2>
          <Segmented
            label={t('console-affiliates.figure')}
            current={figure}
            options={figures.map((value) => ({ value, label: t(`console-affiliates.${value}`) }))}
            hrefOf={(value) => address.hrefOf({ figure: value === 'sales' ? undefined : value })}
          />
        </div>
        {!series.data && <Pending error={series.error} retry={series.retry} height="15.5rem" />}
        {series.data && !isTable && (
          <Chart
            label={t('console-affiliates.chartLabel', { name })}
            days={points.map(({ date }) => date)}
            values={points.map((point) => point[figure])}
            format={isMoney ? formatMoney : formatNumber}
            formatTick={isMoney ? formatWholeMoney : formatNumber}
            isWhole={!isMoney}
          />
        )}
        {series.data && isTable && (
          <DataTable
            caption={name}
            rows={points.toReversed()}
            keyOf={({ date }) => date}
            columns={[
              {
                key: 'date',
                label: t('console-affiliates.date'),
                phone: 'title',
                cell: ({ date }) => formatDate(date, 'short'),
              },
              {
                key: 'value',
                label: name,
                isNumber: true,
                phone: 'aside',
                cell: (point) =>
                  isMoney ? formatMoney(point[figure]) : formatNumber(point[figure]),
              },
            ]}
          />
        )}
        <Segmented
          label={t('console-affiliates.view')}
          current={isTable ? 'table' : 'chart'}
          options={[
            { value: 'chart', label: t('console-affiliates.chart') },
            { value: 'table', label: t('console-affiliates.table') },
          ]}
          hrefOf={(value) => address.hrefOf({ view: value === 'table' ? value : undefined })}
        />
      </Card>
    </>
  );
}
