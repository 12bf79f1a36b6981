import { useLocation, useSearchParams } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { daysAgo, formatDate, storeToday } from '../../format.ts';
import { Card } from '../../ui/card.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Money } from '../../ui/money.tsx';
import { t } from '../../words.ts';
import { withQuery } from '../../frame/navigation.ts';
import './statement-card.css';

const periods = ['month', 'lastMonth', 'year', 'lastYear', 'own'] as const;
type Period = (typeof periods)[number];

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The days of a period that is counted from today. */
function rangeOf(period: Exclude<Period, 'own'>): Range {
  const today = storeToday();
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  const day = (y: number, m: number, d: number) =>
    new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  switch (period) {
    case 'month':
      return { from: day(year, month - 1, 1), to: today };
    case 'lastMonth':
      return { from: day(year, month - 2, 1), to: day(year, month - 1, 0) };
    case 'year':
      return { from: day(year, 0, 1), to: today };
    case 'lastYear':
      return { from: day(year - 1, 0, 1), to: day(year - 1, 11, 31) };
  }
}

/** What changed the balance in a period, and files of it. */
export function StatementCard({ userId }: { userId: number }) {
  const [query] = useSearchParams();
  const [, navigate] = useLocation();
  const period = periods.find((known) => known === query.get('period')) ?? 'month';
  const own = { from: query.get('from') ?? daysAgo(30), to: query.get('to') ?? storeToday() };
  const range = period === 'own' ? own : rangeOf(period);
  const show = (changes: Record<string, string>) =>
    navigate(withQuery('/app/money', location.search, changes), { replace: true });
  const file = (kind: string) => `statement-${range.from}-${range.to}.${kind}`;
  return (
    <Card title={t('portal-money.statement.title')}>
      <div class="statement-period">
        <SelectField
          name="period"
          label={t('portal-money.statement.period')}
          required
          value={period}
          options={periods.map((value) => ({ value, label: t(`portal-money.statement.${value}`) }))}
          onChange={({ currentTarget }) => show({ period: currentTarget.value })}
        />
        {period === 'own' &&
          (['from', 'to'] as const).map((name) => (
            <Field
              key={name}
              name={name}
              type="date"
              label={t(`portal-money.statement.${name}`)}
              required
              max={storeToday()}
              defaultValue={own[name]}
              onChange={({ currentTarget }) =>
                currentTarget.value !== '' && show({ [name]: currentTarget.value })
              }
            />
          ))}
      </div>
      <Totals userId={userId} range={range} />
      <div class="form-actions">
        <DownloadButton
          label={t('portal-money.statement.pdf')}
          fileName={file('pdf')}
          load={(options) => api.affiliates.statementPdf(userId, range, options)}
        />
        <DownloadButton
          label={t('portal-money.statement.csv')}
          fileName={file('csv')}
          load={(options) => api.affiliates.statementCsv(userId, range, options)}
        />
      </div>
    </Card>
  );
}

const kinds = [
  'commission',
  'commission_removed',
  'bonus',
  'adjustment',
  'payout',
  'payout_returned',
  'hand_over',
] as const;

/** Opening balance, what was added and taken, closing balance: they add up. */
function Totals({ userId, range }: { userId: number; range: Range }) {
  const { data, error, stale, retry } = useData('statement', { id: userId, ...range }, () =>
    api.affiliates.statement(userId, range),
  );
  if (!data) {
    return <Pending error={error} retry={retry} lines={4} />;
  }
  return (
    <div class="statement-totals" data-stale={stale}>
      <Facts
        facts={[
          {
            name: t('portal-money.statement.opening', { date: formatDate(data.from, 'day') }),
            value: <Money amount={data.opening} />,
          },
          ...kinds
            .filter((kind) => data.totals[kind] !== 0)
            .map((kind) => ({
              name: t(`portal-money.statement.${kind}`),
              value: <Money amount={data.totals[kind]} />,
            })),
          {
            name: t('portal-money.statement.closing', { date: formatDate(data.to, 'day') }),
            value: <Money amount={data.closing} />,
          },
        ]}
      />
    </div>
  );
}
