import { Link, useLocation } from 'wouter-preact';
import type { Report } from '../../../sdk/src/index.ts';
import {
  figureNames,
  reportDimensions,
  reportKinds,
  reportSorts,
  type FigureName,
} from '../../../src/web-contract/report-dimensions.ts';
import { api } from '../../api.ts';
import { useData } from '../../data.ts';
import { formatDate } from '../../format.ts';
import { useAddress } from '../../frame/address.ts';
import { Screen } from '../../frame/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CsvButton } from '../../ui/csv-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SelectionBar, useSelection } from '../../ui/selection.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { t } from '../../words.ts';
import { addonReportKinds } from '../addon-parts.ts';
import { Change } from './change.tsx';
import {
  basisOf,
  figuresOf,
  formatFigure,
  isNothing,
  isOfClicks,
  tilesOf,
  type ReportRow,
} from './figures.ts';
import { PeriodBar, periodOf } from './period.tsx';
import { Comparison, ReportChart } from './report-chart.tsx';
import { plainName, RowName } from './row-name.tsx';
import { RowBars } from './row-bars.tsx';
import { SavedViews } from './saved-views.tsx';
import { Tiles } from './tiles.tsx';
import './reports.css';

const kinds = reportKinds.filter(
  (kind) => !reportDimensions[kind].isOfAddon || addonReportKinds.includes(kind),
);
const PER_PAGE = 50;

/** A period against the one before. What it is divided by, its days, order and page are the address. */
export function Reports() {
  const address = useAddress('/console/reports');
  const by = address.oneOf('by', kinds) ?? 'day';
  const sort = address.oneOf('sort', reportSorts);
  const period = periodOf(address);
  const input = { by, ...period, sort };
  const report = useData(
    'reports',
    { ...input, page: address.page, per_page: PER_PAGE },
    async (asked) => {
      const data = await api.reports.get(asked);
      return { ...data, ...foldedOf(data) };
    },
  );
  const { data } = report;
  const comparable = reportDimensions[by].isCompared ? (by as 'affiliate' | 'coupon') : undefined;
  const shown = comparable ? (data?.items ?? []).flatMap(({ id }) => id ?? []) : [];
  const selection = useSelection(shown);
  const compared = comparedOf(address.get('compare'));
  const [, navigate] = useLocation();
  const hasFigures = data !== undefined && !isEmpty(data);
  return (
    <Screen
      title={t('console.nav.reports')}
      aside={
        <PeriodBar address={address}>
          <Button kind="quiet" onClick={() => navigate(address.hrefOf({ views: '1' }))}>
            {t('console-reports.views')}
          </Button>
          <CsvButton
            fileName={`report-${by}-${input.from}-${input.to}.csv`}
            load={(options) => api.exports.reportCsv(input, options)}
          />
          <span class="report-print">
            <Button kind="quiet" onClick={() => print()}>
              {t('console-reports.print')}
            </Button>
          </span>
        </PeriodBar>
      }
    >
      <Segmented
        label={t('console-reports.by')}
        current={by}
        options={kinds.map((value) => ({ value, label: t(`console-reports.by.${value}`) }))}
        hrefOf={(value) =>
          address.hrefOf({
            by: value === 'day' ? undefined : value,
            sort: undefined,
            page: undefined,
            compare: undefined,
          })
        }
      />
      {data || report.error !== undefined ? (
        <>
          {data && <Between report={data} />}
          {hasFigures && <Totals report={data} stale={report.stale} />}
          {compared && comparable ? (
            <Comparison address={address} period={period} kind={comparable} ids={compared} />
          ) : (
            hasFigures &&
            (by === 'day' ? (
              <ReportChart address={address} period={period} />
            ) : (
              <RowBars
                address={address}
                report={data}
                figure={figureOf(sort ?? reportDimensions[by].sort)}
                nameOf={(row) => plainName(by, row)}
              />
            ))
          )}
          <Listing
            address={address}
            caption={t('console.nav.reports')}
            list={report}
            columns={data ? columnsOf(data) : []}
            // Rows that can be selected are selected by their ids.
            keyOf={({ id, name, affiliate }) =>
              (comparable && id) || `${id} ${affiliate?.id} ${name}`
            }
            nameOf={({ name }) => name ?? ''}
            {...(comparable && { selection })}
            defaultSort={reportDimensions[by].sort}
            filters={['from', 'to']}
            empty={<EmptyState of="console-reports.empty" />}
          />
          {data && data.folded.length > 0 && (
            <details class="report-folded">
              <summary>{t('console-reports.folded', { count: data.folded.length })}</summary>
              <p class="muted">{data.folded.map((row) => plainName(by, row)).join(', ')}</p>
            </details>
          )}
        </>
      ) : (
        <Card>
          <Skeleton lines={12} height="2rem" />
        </Card>
      )}
      {comparable && <p class="muted">{t('console-reports.multiple')}</p>}
      {by === 'country' && <p class="muted">{t('console-reports.countryHint')}</p>}
      {by === 'creative' && <p class="muted">{t('console-reports.creativeHint')}</p>}
      {by === 'sub1' && <p class="muted">{t('console-reports.sub1Hint')}</p>}
      <SelectionBar selection={selection}>
        {selection.ids.length === 2 ? (
          <Link class="button" href={address.hrefOf({ compare: selection.ids.join(',') })}>
            {t('console-reports.compare')}
          </Link>
        ) : (
          <span class="muted">{t('console-reports.compareHint')}</span>
        )}
      </SelectionBar>
      {address.get('views') !== '' && <SavedViews address={address} />}
    </Screen>
  );
}

/** Rows without any of the figures are one line below the others, unless there is nothing else. */
function foldedOf(data: Report): { items: ReportRow[]; folded: ReportRow[] } {
  if (isEmpty(data)) return { items: [], folded: [] };
  const names = figuresOf(data);
  const items = data.rows.filter((row) => !isNothing(names, row));
  if (items.length === 0) return { items: data.rows, folded: [] };
  return { items, folded: data.rows.filter((row) => isNothing(names, row)) };
}

/** The figure of an order: `-sales` is sales; of days, none. */
function figureOf(sort: string): FigureName {
  return figureNames.find((name) => name === sort.replace(/^-/, '')) ?? 'commission';
}

/** Two affiliates or coupons, as the address names them. */
function comparedOf(text: string): [number, number] | undefined {
  const [one, other] = text.split(',').map(Number);
  return one && other ? [one, other] : undefined;
}

/** Nothing happened in this period, nor in the one before. */
function isEmpty({ totals: { figures, before } }: Report): boolean {
  const all = [figures, before].flatMap((part) => Object.values<number>({ ...part }));
  return all.every((value) => value === 0);
}

function Between({ report: { from, to, before } }: { report: Report }) {
  const day = (text: string) => formatDate(text, 'short');
  return (
    <p class="muted">
      {t('console-reports.between', {
        from: day(from),
        to: day(to),
        before: day(before.from),
        end: day(before.to),
      })}
    </p>
  );
}

function Totals({ report, stale }: { report: Report; stale: boolean }) {
  const { figures, before } = report.totals;
  return (
    <Tiles
      stale={stale}
      tiles={tilesOf(report).map((name) => ({
        name: t(`console-reports.figure.${name}`),
        now: figures[name],
        before: before[name],
        basis: basisOf(name, before),
        format: (value: number) => formatFigure(name, value),
      }))}
    />
  );
}

function columnsOf(report: Report): Column<ReportRow>[] {
  const names = figuresOf(report);
  const first: Column<ReportRow> = {
    key: 'name',
    label: t(`console-reports.by.${report.by}`),
    phone: 'title',
    cell: (row) => <RowName by={report.by} row={row} />,
    ...(report.by === 'day' && { sort: 'date' }),
  };
  const phones: Partial<Record<FigureName, Column<ReportRow>['phone']>> = {
    commission: isOfClicks(report.by) ? 'none' : 'aside',
    clicks: isOfClicks(report.by) ? 'aside' : 'none',
    sales: 'detail',
  };
  return [
    first,
    ...names.map((name): Column<ReportRow> => ({
      key: name,
      label: t(`console-reports.figure.${name}`),
      isNumber: true,
      sort: name,
      phone: phones[name] ?? 'none',
      cell: ({ figures, before }) => (
        <span class="report-cell">
          <span class={figures[name] === 0 ? 'muted' : undefined}>
            {formatFigure(name, figures[name])}
          </span>
          {/* One day against one of weeks before says nothing. */}
          {report.by !== 'day' && (
            <Change now={figures[name]} before={before[name]} basis={basisOf(name, before)} />
          )}
        </span>
      ),
    })),
  ];
}
