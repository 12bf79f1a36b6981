import type { Report } from '../../../sdk/src/index.ts';
import { reportDimensions, type FigureName } from '../../../src/web-contract/report-dimensions.ts';
import { formatMoney } from '../../format.ts';
import { formatNumber } from '../../words.ts';

export type ReportRow = Report['rows'][number];

const amounts = new Set<FigureName>(['sales', 'commission', 'upline_commission']);

export function formatFigure(name: FigureName, value: number): string {
  return amounts.has(name) ? formatMoney(value) : formatNumber(value);
}

/** Whether clicks are what the rows are about: those with most clicks come first. */
export function isOfClicks(by: Report['by']): boolean {
  return reportDimensions[by].sort === '-clicks';
}

/** The figures that a report shows. Most stores have no levels, and see no column of their shares. */
export const figuresOf = (report: Report) => shownOf(report, reportDimensions[report.by].figures);

/** The figures of a tab at a glance: what its rows are about. */
export const tilesOf = (report: Report) => shownOf(report, reportDimensions[report.by].tiles);

function shownOf({ totals }: Report, names: readonly FigureName[]): FigureName[] {
  const hasShares = totals.figures.upline_commission + totals.before.upline_commission > 0;
  return names.filter((name) => name !== 'upline_commission' || hasShares);
}

/** What a figure is worth as a basis of a percentage: an amount counts its orders. */
export function basisOf(name: FigureName, figures: ReportRow['figures']): number {
  return amounts.has(name) ? figures.orders : figures[name];
}

/** Whether a row has none of the figures that the report shows. */
export function isNothing(names: readonly FigureName[], { figures }: ReportRow): boolean {
  return names.every((name) => figures[name] === 0);
}
