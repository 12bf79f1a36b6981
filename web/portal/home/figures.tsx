import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatChange, storeToday } from '../../format.ts';
import { useSession } from '../../session.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Fitting } from '../../ui/fitting.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { useAddress } from '../../frame/address.ts';
import { FigureChart, formatFigure, metrics, valueOf } from './figure-chart.tsx';
import '../../ui/figure-tiles.css';
import './figures.css';

const periods = ['7', '30', '90'] as const;
const DEFAULT_PERIOD = '30';

/** Clicks, orders, conversion and earned of a period, each with the change, and the chosen one by day. */
export function Figures() {
  const { me } = useSession();
  const { hrefOf, oneOf } = useAddress('/app');
  const period = oneOf('period', periods) ?? DEFAULT_PERIOD;
  const metric = oneOf('figure', metrics) ?? 'earned';
  const days = Number(period);
  const loaded = useData(
    'series',
    { from: daysAgo(2 * days - 1), to: storeToday(), interval: 'day' },
    (input) => api.affiliates.stats.series(me.user.id, input),
  );
  const { error, retry, stale } = loaded;
  // The points of another period would give other sums.
  const data = loaded.data?.points.length === 2 * days ? loaded.data : undefined;
  const before = data?.points.slice(0, -days) ?? [];
  const current = data?.points.slice(-days) ?? [];
  const isEmpty =
    data !== undefined &&
    metrics.every((name) => !valueOf(name, current) && !valueOf(name, before));
  return (
    <Card
      title={t('portal.home.figures')}
      aside={
        <Segmented
          label={t('portal.home.period')}
          current={period}
          options={optionsOf(periods, (value) => t('portal.home.days', { count: Number(value) }))}
          hrefOf={(value) => hrefOf({ period: value === DEFAULT_PERIOD ? undefined : value })}
        />
      }
    >
      {error && !data ? (
        <ErrorState error={error} retry={retry} />
      ) : isEmpty ? (
        <EmptyState title={t('portal.home.noFigures.title')}>
          {t('portal.home.noFigures.text')}
        </EmptyState>
      ) : (
        <div class="figures-body" data-stale={stale}>
          <ul class="figure-tiles">
            {metrics.map((name) => (
              <li key={name}>
                <Link
                  class="figure-tile"
                  href={hrefOf({ figure: name === 'earned' ? undefined : name })}
                  aria-current={name === metric ? 'true' : undefined}
                >
                  <span class="figure-name">{t(`portal.home.figure.${name}`)}</span>
                  {data ? (
                    <>
                      <span class="figure-value">
                        <Fitting text={formatFigure(name, valueOf(name, current))} />
                      </span>
                      <Change now={valueOf(name, current)} before={valueOf(name, before)} />
                    </>
                  ) : (
                    <Skeleton height="3rem" />
                  )}
                </Link>
              </li>
            ))}
          </ul>
          {data ? <FigureChart metric={metric} points={current} /> : <Skeleton height="15.5rem" />}
        </div>
      )}
    </Card>
  );
}

/** Against the period before. */
function Change({ now = 0, before = 0 }: { now: number | undefined; before: number | undefined }) {
  if (before === 0) {
    return (
      <span class="figure-change">
        {now === 0 ? t('portal.home.unchanged') : t('portal.home.new')}
      </span>
    );
  }
  const share = (now - before) / before;
  const direction = Math.abs(share) < 0.005 ? 'same' : share > 0 ? 'up' : 'down';
  return (
    <span class="figure-change" data-direction={direction}>
      {formatChange(share)} <span class="muted">{t('portal.home.againstBefore')}</span>
    </span>
  );
}
