/** The figures of a report, in the order of its columns. */
export const figureNames = [
  'clicks',
  'conversions',
  'orders',
  'sales',
  'commission',
  'upline_commission',
] as const;
export type FigureName = (typeof figureNames)[number];

export const reportSorts = [
  'date',
  '-date',
  ...figureNames.flatMap((name) => [name, `-${name}`] as const),
] as const;
export type ReportSort = (typeof reportSorts)[number];

interface Dimension {
  /** The figures that its rows have. Shares of levels are shown only where there are any. */
  readonly figures: readonly FigureName[];
  /** Those of them that are shown above the rows. */
  readonly tiles: readonly FigureName[];
  /** The order in which no other was chosen. */
  readonly sort: ReportSort;
  /** Its rows are objects with a number. */
  readonly hasId?: true;
  /** Two of its rows can be compared by day. */
  readonly isCompared?: true;
  /** Its totals are those of its rows, and not of the whole program: of the links that have one. */
  readonly isOfLinks?: true;
  /** No figures of it are stored, so the orders of both periods are read. */
  readonly readsOrders?: true;
  /** There only with the add-on whose objects its rows are. */
  readonly isOfAddon?: true;
}

const ofOrders = ['orders', 'sales', 'commission'] as const;
const ofClicks = ['clicks', 'conversions'] as const;
const ofLinks = ['clicks', 'orders', 'sales', 'commission'] as const;

/**
 * What a report can be divided by, in the order of the tabs. What an entry says is all that the service and the console know
 * of it, besides its rows (`compare-periods.ts`), their names where they are not their keys (`report-names.ts`), and its texts.
 */
const dimensions = {
  day: { figures: figureNames, tiles: ofLinks, sort: 'date' },
  affiliate: {
    figures: figureNames,
    tiles: [...ofOrders, 'upline_commission'],
    sort: '-commission',
    hasId: true,
    isCompared: true,
  },
  coupon: {
    figures: figureNames,
    tiles: ofOrders,
    sort: '-commission',
    hasId: true,
    isCompared: true,
  },
  campaign: { figures: ofClicks, tiles: ofClicks, sort: '-clicks' },
  creative: {
    figures: [...ofClicks, ...ofOrders],
    tiles: ofLinks,
    sort: '-clicks',
    hasId: true,
    isOfLinks: true,
    readsOrders: true,
    isOfAddon: true,
  },
  sub1: {
    figures: [...ofClicks, ...ofOrders],
    tiles: ofLinks,
    sort: '-clicks',
    isOfLinks: true,
    readsOrders: true,
  },
  country: { figures: ofOrders, tiles: ofOrders, sort: '-commission', readsOrders: true },
} satisfies Record<string, Dimension>;

export type ReportKind = keyof typeof dimensions;
export const reportDimensions: Readonly<Record<ReportKind, Dimension>> = dimensions;
export const reportKinds = Object.keys(dimensions) as ReportKind[];

/** A month of a million orders a year takes 0.5 s to read. */
export const READ_DAYS_MAX = 92;
