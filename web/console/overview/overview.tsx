import { api } from '../../api.ts';
import { useData, useRefreshing } from '../../data.ts';
import { daysAgo, storeToday } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { lazyScreen } from '../../frame/lazy-screen.tsx';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState, Pending } from '../../ui/error-state.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { Needs } from './needs.tsx';
import { OverviewFigures } from './overview-figures.tsx';
import { Link } from 'wouter-preact';
import { hasCode, type Overview } from '../../../sdk/src/index.ts';
import { EventList } from '../activity/event-list.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { optionsOf } from '../../ui/options.ts';
import { hrefOfObject } from '../object-href.ts';
import { figureColumns } from './figure-columns.tsx';
import './overview.css';

const periods = ['7', '30', '90'] as const;
const DEFAULT_PERIOD = '30';
/** A program that has orders needs none. */
const LazyChecklist = lazyScreen(async () => (await import('./checklist.tsx')).Checklist).View;

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
            options={optionsOf(periods, (value) =>
              t('console-overview.days', { count: Number(value) }),
            )}
            hrefOf={(value) =>
              address.hrefOf({ period: value === DEFAULT_PERIOD ? undefined : value })
            }
          />
        )
      }
    >
      {data ? (
        <>
          {isNew && <LazyChecklist steps={data.steps} />}
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

const SHOWN = 8;
/** An order that is completed has several events, which are one entry. */
const READ = 3 * SHOWN;

/** The newest entries of the log. */
function LatestEvents() {
  const { data, error, retry } = useData('events', { per_page: READ }, (input) =>
    api.events.search(input),
  );
  return (
    <Card labelledBy="events">
      <div class="card-head">
        <h2 id="events">{t('console-overview.events')}</h2>
        <Link href="/console/activity">{t('console-overview.allEvents')}</Link>
      </div>
      {data ? (
        data.items.length === 0 ? (
          <p class="muted">{t('console-overview.noEvents')}</p>
        ) : (
          <EventList events={data.items} names={data.names} most={SHOWN} heading="h3" />
        )
      ) : hasCode(error, 'svc_api_log_disabled') ? (
        <p class="muted">{t('console-overview.feedOff')}</p>
      ) : (
        <Pending error={error} retry={retry} lines={SHOWN} height="1.5rem" />
      )}
    </Card>
  );
}

type Top = Overview['top_affiliates'];

function TopAffiliates({ top }: { top: Top }) {
  return (
    <Card labelledBy="top">
      <h2 id="top">{t('console-overview.top')}</h2>
      {top.length === 0 ? (
        <p class="muted">{t('console-overview.noTop')}</p>
      ) : (
        <DataTable
          caption={t('console-overview.top')}
          rows={top}
          keyOf={({ user }) => user.id}
          hrefOf={({ user }) => hrefOfObject('affiliate', user.id) ?? '/console'}
          columns={[
            {
              key: 'name',
              label: t('console-overview.affiliate'),
              phone: 'title',
              cell: ({ user }) => user.display_name,
            },
            ...figureColumns<Top[number]>('commission'),
          ]}
        />
      )}
    </Card>
  );
}
