import type { AffiliateBalance } from '../../../sdk/src/index.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, storeToday, formatMoney } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Fitting } from '../../ui/fitting.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { t } from '../../words.ts';
import type { TabProps } from './tab-props.ts';
import { DaySeries } from '../overview/day-series.tsx';
import { addonAffiliateCards } from '../addon-parts.ts';
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
  const money = balance.data;
  return (
    <>
      <Card labelledBy="balances">
        <h2 id="balances">{t('console-affiliates.balances')}</h2>
        {money ? (
          <Pools money={money} />
        ) : (
          <Pending error={balance.error} retry={balance.retry} lines={6} />
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
        <DaySeries
          address={address}
          figure={figure}
          name={t(`console-affiliates.${figure}`)}
          loaded={series}
          days={DAYS}
        />
      </Card>
      {addonAffiliateCards.map((AffiliateCard, i) => (
        <AffiliateCard key={i} id={id} />
      ))}
    </>
  );
}

const pools = [
  'available',
  'on_hold',
  'awaiting',
  'in_review',
  'on_its_way',
  'paid',
  'earned',
] as const;
/** Shown also when it is nothing. */
const always = new Set<string>(['available', 'earned']);

/** Where there is money, and in one line where there is none. */
function Pools({ money }: { money: AffiliateBalance }) {
  const filled = pools.filter((pool) => money[pool] !== 0 || always.has(pool));
  // Most affiliates have nothing in review, and know nothing of it.
  const empty = pools.filter((pool) => !filled.includes(pool) && pool !== 'in_review');
  const nameOf = (pool: (typeof pools)[number]) => t(`console-affiliates.pool.${pool}`);
  return (
    <>
      <Tiles
        isLarge
        facts={filled.map((pool) => ({
          name: nameOf(pool),
          value: <Fitting text={formatMoney(money[pool])} />,
        }))}
      />
      {empty.length > 0 && (
        <p class="muted">
          {t('console-affiliates.emptyPools', {
            pools: empty.map(nameOf).join(' · '),
            zero: formatMoney(0),
          })}
        </p>
      )}
    </>
  );
}
