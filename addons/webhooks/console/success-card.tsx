import type { WebhookStats } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { useData } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import type { Address } from '../../../web/frame/address.ts';
import { Card } from '../../../web/ui/card.tsx';
import { numberColumn, textColumn } from '../../../web/ui/columns.tsx';
import { DataTable } from '../../../web/ui/data-table.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Moment } from '../../../web/ui/moment.tsx';
import { Segmented } from '../../../web/ui/segmented.tsx';
import { said } from '../../../web/said.ts';
import { t } from '../../../web/words.ts';
import { formatRate, rateOf } from './webhook-state.tsx';

/** How many attempts succeeded, by day, and the last error. */
export function SuccessCard({ id, address }: { id: number; address: Address }) {
  const { data, error, retry } = useData('webhook', { id, part: 'stats' }, () =>
    api.webhooks.stats(id),
  );
  return (
    <Card title={t('console-webhooks.rate')}>
      {data ? (
        <Success stats={data} address={address} />
      ) : (
        <Pending error={error} retry={retry} height="15.5rem" />
      )}
    </Card>
  );
}

function Success({ stats, address }: { stats: WebhookStats; address: Address }) {
  const view = address.get('view') === 'table' ? 'table' : 'chart';
  const { delivered, failed, days, last_error, date_last_error } = stats;
  const rate = rateOf(stats);
  if (rate === undefined) return <p class="muted">{t('console-webhooks.rateNone')}</p>;
  return (
    <>
      <p>
        {t('console-webhooks.rateSentence', { rate: formatRate(rate), count: delivered + failed })}
      </p>
      {last_error !== '' && date_last_error !== null && (
        <p class="muted">
          {t('console-webhooks.lastError')}: {said(last_error)}{' '}
          <Moment inLog date={date_last_error} />
        </p>
      )}
      {view === 'chart' ? (
        <DayBars days={days} />
      ) : (
        <DataTable<Day>
          caption={t('console-webhooks.rate')}
          rows={days.toReversed()}
          keyOf={({ date }) => date}
          columns={[
            textColumn('date', t('console-webhooks.day'), 'title', ({ date }) =>
              formatDate(date, 'short'),
            ),
            numberColumn(
              'delivered',
              t('console-webhooks.delivered'),
              'none',
              (day) => day.delivered,
            ),
            numberColumn('failed', t('console-webhooks.failed'), 'none', (day) => day.failed),
            {
              key: 'rate',
              label: t('console-webhooks.rate'),
              isNumber: true,
              phone: 'aside',
              cell: (day) => {
                const ofDay = rateOf(day);
                return ofDay === undefined ? '–' : formatRate(ofDay);
              },
            },
          ]}
        />
      )}
      <Segmented
        label={t('console-webhooks.view')}
        current={view}
        options={[
          { value: 'chart', label: t('console-webhooks.viewChart') },
          { value: 'table', label: t('console-webhooks.viewTable') },
        ]}
        hrefOf={(value) => address.hrefOf({ view: value === 'table' ? value : undefined })}
      />
    </>
  );
}

type Day = WebhookStats['days'][number];

/** One bar per day: all good, some failed, all failed, nothing sent. The table has the numbers. */
function DayBars({ days }: { days: readonly Day[] }) {
  return (
    <div>
      <div class="day-bars" role="img" aria-label={t('console-webhooks.chart')}>
        {days.map((day) => (
          <span key={day.date} data-kind={kindOf(day)} title={tooltipOf(day)} />
        ))}
      </div>
      <p class="day-bars-ends muted" aria-hidden>
        <span>{formatDate(days[0]!.date, 'short')}</span>
        <span>{formatDate(days.at(-1)!.date, 'short')}</span>
      </p>
    </div>
  );
}

function kindOf({ delivered, failed }: Day): 'none' | 'good' | 'some' | 'bad' {
  if (delivered + failed === 0) return 'none';
  if (failed === 0) return 'good';
  return delivered === 0 ? 'bad' : 'some';
}

function tooltipOf(day: Day): string {
  const rate = rateOf(day);
  return `${formatDate(day.date, 'short')}: ${rate === undefined ? '–' : formatRate(rate)}`;
}
