import { Link } from 'wouter-preact';
import type { Overview } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatMoney, storeToday } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Card } from '../../ui/card.tsx';
import { Fitting } from '../../ui/fitting.tsx';
import { t } from '../../words.ts';
import { ChangeFrom } from '../reports/change.tsx';
import { DaySeries, formatFigure, type Figure } from './day-series.tsx';
import '../../ui/figure-tiles.css';

const figures = ['sales', 'orders', 'commission', 'clicks', 'conversion'] as const;
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
  const series = useData(
    'overview',
    { from: daysAgo(2 * days - 1), to: storeToday(), interval: 'day' },
    (input) => api.stats.series(input),
  );
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
              <span class="figure-name">{nameOf(name, now)}</span>
              <span class="figure-value">
                <Fitting text={formatFigure(name, valueOf(name, now))} />
              </span>
              <span class="figure-change">
                <ChangeFrom
                  now={valueOf(name, now) ?? 0}
                  before={valueOf(name, before) ?? 0}
                  basis={basisOf(name, before)}
                  format={(value) => formatFigure(name, value)}
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {figure === 'conversion' && <p class="muted">{t('console-overview.conversionText')}</p>}
      {figure === 'commission' && now.upline_commission > 0 && (
        <p class="muted">
          {t('console-overview.sharesText', { amount: formatMoney(now.upline_commission) })}
        </p>
      )}
      {now.bonuses > 0 && (
        <p>
          <Link class="lone-link" href={bonusesHref(overview.period)}>
            {t('console-overview.bonuses', {
              count: now.bonuses,
              amount: formatMoney(now.bonus_amount),
            })}
          </Link>
        </p>
      )}
      <DaySeries
        address={address}
        figure={figure}
        name={nameOf(figure, now)}
        loaded={series}
        days={days}
      />
    </Card>
  );
}

function bonusesHref({ from, to }: Overview['period']): string {
  return `/console/activity?event=bonus&from=${from}&to=${to}`;
}

/** From how many orders or clicks a figure of the period before comes. */
function basisOf(figure: Figure, { orders, clicks }: Figures): number {
  return figure === 'clicks' || figure === 'conversion' ? clicks : orders;
}

function valueOf(figure: Figure, values: Figures): number | undefined {
  if (figure !== 'conversion') return values[figure];
  return values.clicks > 0 ? values.conversions / values.clicks : undefined;
}

/** With the shares of levels, the figure has another name than in the reports, which show them apart. */
function nameOf(figure: Figure, { upline_commission: shares }: Figures): string {
  const hasShares = figure === 'commission' && shares > 0;
  return hasShares ? t('console.commissionWithShares') : t(`console-overview.figure.${figure}`);
}
