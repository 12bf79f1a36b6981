import { Link } from 'wouter-preact';
import type { Overview } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import {
  daysAgo,
  formatChange,
  formatMoney,
  formatPercent,
  formatWholeMoney,
  storeToday,
} from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatNumber, t } from '../../words.ts';
import { DayTable } from './day-table.tsx';
import '../../ui/figure-tiles.css';

const figures = ['sales', 'orders', 'commission', 'clicks', 'conversion'] as const;
export type Figure = (typeof figures)[number];
type Figures = Overview['period']['figures'];

interface OverviewFiguresProps {
  overview: Overview;
  days: number;
  stale: boolean;
}

/** The figures of the period with the change against the one before, and the chosen one by day. */
export function OverviewFigures({ overview, days, stale }: OverviewFiguresProps) {
  const address = useAddress('/console');
  const figure = address.oneOf('figure', figures) ?? 'sales';
  const now = overview.period.figures;
  const before = overview.previous.figures;
  return (
    <Card labelledBy="figures">
      <h2 id="figures" class="visually-hidden">
        {t('console-overview.figures')}
      </h2>
      <ul class="figure-tiles overview-tiles" data-stale={stale}>
        {figures.map((name) => (
          <li key={name}>
            <Link
              class="figure-tile"
              href={address.hrefOf({ figure: name === 'sales' ? undefined : name })}
              aria-current={name === figure ? 'true' : undefined}
            >
              <span class="figure-name">{t(`console-overview.figure.${name}`)}</span>
              <span class="figure-value">{formatFigure(name, valueOf(name, now))}</span>
              <Change figure={name} now={valueOf(name, now)} before={valueOf(name, before)} />
            </Link>
          </li>
        ))}
      </ul>
      <ByDay figure={figure} days={days} />
    </Card>
  );
}

function valueOf(figure: Figure, values: Figures): number | undefined {
  if (figure !== 'conversion') return values[figure];
  return values.clicks > 0 ? values.conversions / values.clicks : undefined;
}

function formatFigure(figure: Figure, value: number | undefined): string {
  if (value === undefined) return '–';
  if (figure === 'sales' || figure === 'commission') return formatMoney(value);
  return figure === 'conversion' ? formatPercent(value) : formatNumber(value);
}

interface ChangeProps {
  figure: Figure;
  now: number | undefined;
  before: number | undefined;
}

/** Against the period before, in words for screen readers; its value on hover. */
function Change({ figure, now = 0, before = 0 }: ChangeProps) {
  const title = t('console-overview.before', { value: formatFigure(figure, before) });
  if (before === 0) {
    const text = now === 0 ? t('console-overview.unchanged') : t('console-overview.new');
    return (
      <span class="figure-change" title={title}>
        {text}
      </span>
    );
  }
  const share = (now - before) / before;
  const direction = Math.abs(share) < 0.005 ? 'same' : share > 0 ? 'up' : 'down';
  return (
    <span class="figure-change" data-direction={direction} title={title}>
      {formatChange(share)}
      <span class="visually-hidden"> {t('console-overview.againstBefore')}</span>
    </span>
  );
}

/** As a chart, or as a table with the same numbers (`?view=table`). */
function ByDay({ figure, days }: { figure: Figure; days: number }) {
  const address = useAddress('/console');
  const isTable = address.get('view') === 'table';
  const loaded = useData(
    'overview',
    { from: daysAgo(days - 1), to: storeToday(), interval: 'day' },
    (input) => api.stats.series(input),
  );
  // The points of another period belong to other days.
  const points = loaded.data?.points.length === days ? loaded.data.points : undefined;
  if (!points) {
    return <Pending error={loaded.error} retry={loaded.retry} height="15.5rem" />;
  }
  const name = t(`console-overview.figure.${figure}`);
  return (
    <>
      {isTable ? (
        <DayTable points={points} />
      ) : (
        <Chart
          label={t('console-overview.chartLabel', { name })}
          days={points.map(({ date }) => date)}
          values={points.map((point) => {
            if (figure !== 'conversion') return point[figure];
            return point.clicks > 0 ? point.conversions / point.clicks : null;
          })}
          format={(value) => formatFigure(figure, value)}
          formatTick={(value) =>
            figure === 'sales' || figure === 'commission'
              ? formatWholeMoney(value)
              : formatFigure(figure, value)
          }
          isWhole={figure === 'orders' || figure === 'clicks'}
        />
      )}
      <Segmented
        label={t('console-overview.view')}
        current={isTable ? 'table' : 'chart'}
        options={[
          { value: 'chart', label: t('console-overview.chart') },
          { value: 'table', label: t('console-overview.table') },
        ]}
        hrefOf={(value) => address.hrefOf({ view: value === 'table' ? value : undefined })}
      />
    </>
  );
}
