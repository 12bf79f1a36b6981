import type { RewardTrial } from '../../../sdk/src/index.ts';
import { withoutFormulas } from '../../../src/shared/without-formulas.ts';
import { formatMoney, formatPercent, storeToday } from '../../format.ts';
import { program } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words.ts';
import type { TrialInForm } from './use-trial.ts';

interface Change {
  readonly before: number;
  readonly after: number;
}

/** What the orders of the last 90 days would earn with the rule of the form. */
export function TrialResult({ trial, isRunning, isOutdated, error, start, cancel }: TrialInForm) {
  const ended = isRunning ? undefined : trial;
  return (
    <>
      <Card title={t('console-rewards.try.title')}>
        {isRunning ? (
          <TrialProgress progress={trial?.progress ?? 0} onCancel={cancel} />
        ) : (
          <>
            {ended ? (
              <Outcome trial={ended} isOutdated={isOutdated} />
            ) : (
              <p class="muted">{t('console-rewards.try.how')}</p>
            )}
            {error && <Notice kind="bad">{error}</Notice>}
            <Button type="button" kind="quiet" onClick={start}>
              {t('console-rewards.try')}
            </Button>
          </>
        )}
      </Card>
      {ended?.totals && <Changed trial={ended} />}
    </>
  );
}

function Outcome({ trial, isOutdated }: { trial: RewardTrial; isOutdated: boolean }) {
  // Another person may cancel it as well.
  if (!trial.totals) return <Notice kind="bad">{t('console-rewards.try.failed')}</Notice>;
  return (
    <>
      {isOutdated && <p class="muted">{t('console-rewards.try.outdated')}</p>}
      {trial.orders.length === 0 ? (
        <p>{t('console-rewards.try.nothing')}</p>
      ) : (
        <Totals totals={trial.totals} losing={trial.losing} />
      )}
    </>
  );
}

function Changed({ trial }: { trial: RewardTrial }) {
  return (
    <>
      {trial.affiliates.length > 0 && (
        <Card
          title={t('console-rewards.try.affiliates')}
          aside={
            <CsvButton
              fileName={`rewards-${storeToday()}.csv`}
              load={() => Promise.resolve(new Response(csvOf(trial.affiliates)))}
            />
          }
        >
          <DataTable<RewardTrial['affiliates'][number]>
            caption={t('console-rewards.try.affiliates')}
            rows={trial.affiliates}
            keyOf={({ user_id }) => user_id}
            hrefOf={({ user_id }) => `/console/affiliates/${user_id}`}
            columns={[
              titleOf(
                t('console-rewards.try.affiliate'),
                ({ user_id, name }) => name || t('console-rewards.number', { id: user_id }),
              ),
              ...amounts(),
            ]}
          />
        </Card>
      )}
      {trial.orders.length > 0 && (
        <Card title={t('console-rewards.try.orders')}>
          <DataTable<RewardTrial['orders'][number]>
            caption={t('console-rewards.try.orders')}
            rows={trial.orders}
            keyOf={({ order_id, user_id }) => `${order_id} ${user_id}`}
            hrefOf={({ order_id }) => `/console/orders/${order_id}`}
            columns={[
              titleOf(t('console-rewards.try.order'), ({ order_id }) => String(order_id)),
              ...amounts(),
            ]}
          />
        </Card>
      )}
    </>
  );
}

function TrialProgress({ progress, onCancel }: { progress: number; onCancel(): void }) {
  return (
    <div class="trial-progress">
      <label for="trial-progress">
        {t('console-rewards.try.progress', { share: formatPercent(progress, 0) })}
      </label>
      <progress id="trial-progress" value={progress} max={1} />
      <Button type="button" kind="quiet" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}

function Totals({ totals, losing }: { totals: Change; losing: number }) {
  return (
    <Facts
      facts={[
        {
          name: t('console-rewards.try.total'),
          value: (
            <>
              <Money amount={totals.before} /> → <Money amount={totals.after} />
            </>
          ),
        },
        { name: t('console-rewards.try.difference'), value: <Difference {...totals} /> },
        {
          name: t('console-rewards.try.losing'),
          value: t('console-rewards.try.losingCount', { count: losing }),
        },
      ]}
    />
  );
}

function titleOf<Row>(label: string, cell: (row: Row) => string): Column<Row> {
  return { key: 'title', label, phone: 'title', cell };
}

const amounts = (): Column<Change>[] => [
  ...(['before', 'after'] as const).map((key) => ({
    key,
    label: t(`console-rewards.try.${key}`),
    isNumber: true,
    // A place of the card holds one cell.
    phone: key === 'before' ? ('detail' as const) : ('state' as const),
    cell: (change: Change) => <Money amount={change[key]} />,
  })),
  {
    key: 'difference',
    label: t('console-rewards.try.difference'),
    isNumber: true,
    phone: 'aside',
    cell: ({ before, after }) => <Difference before={before} after={after} />,
  },
];

function Difference(change: Change) {
  const difference = Number(differenceOf(change));
  return (
    <span class="money">
      {difference > 0 && '+'}
      {formatMoney(difference)}
    </span>
  );
}

/** Exact to the digits of the currency: what computers subtract is not. */
function differenceOf({ before, after }: Change): string {
  return digitsOf(after - before);
}

const digitsOf = (amount: number) => amount.toFixed(program.value?.currency_decimals ?? 2);

/** With the names of the API as headings, as all files of the service. */
function csvOf(affiliates: RewardTrial['affiliates']): string {
  const lines = affiliates.map(({ user_id, name, before, after }) => [
    String(user_id),
    quoted(name),
    digitsOf(before),
    digitsOf(after),
    differenceOf({ before, after }),
  ]);
  return [['user_id', 'name', 'before', 'after', 'difference'], ...lines]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

function quoted(text: string): string {
  return `"${withoutFormulas(text).replaceAll('"', '""')}"`;
}
