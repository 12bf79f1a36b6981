import { api } from '../../api.ts';
import { useData, useRefreshing } from '../../data.ts';
import { daysAgo, storeToday } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { Checklist } from './checklist.tsx';
import { LatestEvents } from './latest-events.tsx';
import { Needs } from './needs.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { TopAffiliates } from './top-affiliates.tsx';
import './overview.css';

const periods = ['7', '30', '90'] as const;
const DEFAULT_PERIOD = '30';
/** The checklist waits for the first order, which comes from outside. */
const CHECKLIST_MS = 10_000;

/** What needs the team, and how the program is doing. A new store sees its first steps. */
export function Overview() {
  const address = useAddress('/console');
  const period = address.oneOf('period', periods) ?? DEFAULT_PERIOD;
  const days = Number(period);
  const { data, error, retry, stale } = useData(
    'overview',
    { from: daysAgo(days - 1), to: storeToday() },
    (input) => api.overview.get(input),
  );
  const isNew = data !== undefined && data.steps.length > 0;
  // Before its first click, a store has nothing to compare.
  const isEmpty = isNew && data.period.figures.orders + data.period.figures.clicks === 0;
  useRefreshing(isNew ? CHECKLIST_MS : undefined, 'overview');
  return (
    <Screen
      title={t('console.nav.overview')}
      aside={
        !isEmpty && (
          <Segmented
            label={t('console-overview.period')}
            current={period}
            options={periods.map((value) => ({
              value,
              label: t('console-overview.days', { count: Number(value) }),
            }))}
            hrefOf={(value) =>
              address.hrefOf({ period: value === DEFAULT_PERIOD ? undefined : value })
            }
          />
        )
      }
    >
      {data ? (
        <>
          {isNew && <Checklist steps={data.steps} />}
          {(!isNew || data.needs.length > 0) && <Needs needs={data.needs} />}
          {isEmpty ? (
            <LatestEvents />
          ) : (
            <>
              <OverviewFigures overview={data} days={days} stale={stale} />
              <div class="overview-columns">
                <TopAffiliates top={data.top_affiliates} />
                <LatestEvents />
              </div>
            </>
          )}
        </>
      ) : error ? (
        <Card>
          <ErrorState error={error} retry={retry} />
        </Card>
      ) : (
        <>
          <Card>
            <Skeleton lines={2} height="2.5rem" />
          </Card>
          <Card>
            <Skeleton lines={1} height="20rem" />
          </Card>
        </>
      )}
    </Screen>
  );
}
