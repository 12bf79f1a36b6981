import { Link } from 'wouter-preact';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatPercent } from '../../format.ts';
import { useAddress, type Address } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Card } from '../../ui/card.tsx';
import { Chart } from '../../ui/chart.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import { numberColumn } from '../../ui/columns.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/error-state.tsx';
import { LandingPages } from './landing-pages.tsx';
import { formatNumber, t } from '../../words.ts';
import type { ReportRow } from '../reports/figures.ts';
import { PeriodBar, periodOf } from '../reports/period.tsx';
import { Change } from '../reports/change.tsx';
import { Tiles } from '../reports/tiles.tsx';
import './clicks.css';

const ROWS = 10;
const DAYS_MAX = 100;

/** Clicks by day, the campaigns and coupons that they come from, and the pages that they lead to. */
export function Clicks() {
  const address = useAddress('/console/clicks');
  const period = periodOf(address);
  const { data, error, retry, stale } = useData('clicks', { ...period }, async () => {
    const of = (by: 'day' | 'campaign' | 'coupon', per_page: number) =>
      api.reports.get({ by, ...period, sort: by === 'day' ? 'date' : '-clicks', per_page });
    const [days, campaigns, coupons, landingPages] = await Promise.all([
      of('day', DAYS_MAX),
      of('campaign', ROWS),
      of('coupon', ROWS),
      api.clicks.landingPages.list(period),
    ]);
    return {
      days,
      campaigns: campaigns.rows,
      coupons: coupons.rows.filter(hasClicks),
      landingPages: landingPages.items.slice(0, ROWS),
    };
  });
  const totals = data?.days.totals;
  const isNone = totals !== undefined && totals.figures.clicks + totals.before.clicks === 0;
  return (
    <Screen
      title={t('console.nav.clicks')}
      aside={
        <PeriodBar address={address}>
          <CsvButton
            fileName={`clicks-${period.from}-${period.to}.csv`}
            load={(options) =>
              api.exports.reportCsv({ by: 'campaign', ...period, sort: '-clicks' }, options)
            }
          />
        </PeriodBar>
      }
    >
      {!data && <Pending error={error} retry={retry} lines={8} height="2rem" />}
      {isNone && (
        <Card>
          <EmptyState of="console-clicks.none" />
        </Card>
      )}
      {data && totals && !isNone && (
        <>
          <Tiles stale={stale} tiles={tilesOf(totals)} />
          <ClicksByDay rows={data.days.rows} />
          <div class="click-tables">
            <div class="click-column">
              <Sources
                title={t('console-clicks.campaigns')}
                label={t('console-clicks.campaign')}
                rows={data.campaigns}
                nameOf={({ name }) => name || t('console-clicks.noCampaign')}
                href={hrefOfReport(address, 'campaign')}
              />
              {data.landingPages.length > 0 && <LandingPages pages={data.landingPages} />}
            </div>
            <Sources
              title={t('console-clicks.coupons')}
              label={t('console-clicks.coupon')}
              rows={data.coupons}
              nameOf={({ name }) => name ?? ''}
              href={hrefOfReport(address, 'coupon')}
            />
          </div>
        </>
      )}
    </Screen>
  );
}

function hasClicks({ figures, before }: ReportRow): boolean {
  return figures.clicks + before.clicks > 0;
}

function hrefOfReport(address: Address, by: string): string {
  const query = new URLSearchParams({ by, sort: '-clicks' });
  for (const name of ['from', 'to']) {
    if (address.get(name) !== '') query.set(name, address.get(name));
  }
  return `/console/reports?${query.toString()}`;
}

function rateOf({ clicks, conversions }: ReportRow['figures']): number {
  return clicks === 0 ? 0 : conversions / clicks;
}

function tilesOf({
  figures,
  before,
}: {
  figures: ReportRow['figures'];
  before: ReportRow['figures'];
}) {
  return [
    {
      name: t('console-clicks.clicks'),
      now: figures.clicks,
      before: before.clicks,
      format: formatNumber,
    },
    {
      name: t('console-clicks.conversions'),
      now: figures.conversions,
      before: before.conversions,
      format: formatNumber,
    },
    {
      name: t('console-clicks.rate'),
      now: rateOf(figures),
      before: rateOf(before),
      basis: before.clicks,
      format: (value: number) => formatPercent(value),
    },
  ];
}

function ClicksByDay({ rows }: { rows: readonly ReportRow[] }) {
  return (
    <Card>
      <Chart
        label={t('console-clicks.chart')}
        days={rows.map(({ name }) => name!)}
        values={rows.map(({ figures }) => figures.clicks)}
        format={formatNumber}
        formatTick={formatNumber}
        isWhole
      />
    </Card>
  );
}

interface SourcesProps {
  title: string;
  label: string;
  rows: readonly ReportRow[];
  nameOf(row: ReportRow): string;
  href: string;
}

/** Where clicks come from, most first. */
function Sources({ title, label, rows, nameOf, href }: SourcesProps) {
  const columns: Column<ReportRow>[] = [
    { key: 'name', label, phone: 'title', cell: nameOf },
    {
      key: 'clicks',
      label: t('console-clicks.clicks'),
      isNumber: true,
      phone: 'aside',
      cell: ({ figures, before }) => (
        <span class="click-cell">
          {formatNumber(figures.clicks)} <Change now={figures.clicks} before={before.clicks} />
        </span>
      ),
    },
    numberColumn('rate', t('console-clicks.rate'), 'none', ({ figures }) =>
      formatPercent(rateOf(figures)),
    ),
  ];
  return (
    <Card>
      <div class="card-head">
        <h2>{title}</h2>
        <Link href={href}>{t('console-clicks.all')}</Link>
      </div>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        keyOf={({ id, name }) => id ?? name ?? ''}
      />
    </Card>
  );
}
