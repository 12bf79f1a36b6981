import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { figureNames, type FigureName } from '../../../web-contract/report-dimensions.ts';
import { addClicks, addOrders, sumFormerClicks, sumFormerOrders } from '../coupon-sums-rows.ts';
import { total, type InRange } from '../report-rows.ts';

/** Amounts are minor units. */
export type Figures = Record<FigureName, number>;

type Part = Partial<Figures> & { key: string };
type Sums = Query<InRange, Part>;

const orderFigures = [
  sql<number>`coalesce(sum(orders_count), 0)`.as('orders'),
  sql<number>`coalesce(sum(total_sales), 0)`.as('sales'),
  sql<number>`coalesce(sum(total_commission), 0)`.as('commission'),
  sql<number>`coalesce(sum(upline_commission), 0)`.as('upline_commission'),
] as const;

const storeByDay: Sums = query((db, p) =>
  db
    .selectFrom('store_days')
    .select('day as key')
    .select(orderFigures)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('day'),
);

const clicksBy = (column: 'day' | 'campaign'): Sums =>
  query((db, p) =>
    db
      .selectFrom('campaign_days')
      .select(`${column} as key`)
      .select([total('clicks'), total('conversions')])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last)
      .groupBy(column),
  );

/** The statements whose rows belong to a report. */
export type SummedKind = 'day' | 'campaign';

const statements: Record<SummedKind, readonly Sums[]> = {
  day: [storeByDay, clicksBy('day')],
  campaign: [clicksBy('campaign')],
};

/** The key of what has none: coupons without an affiliate. */
export const NO_KEY = 0;

export const noFigures = (): Figures => ({
  clicks: 0,
  conversions: 0,
  orders: 0,
  sales: 0,
  commission: 0,
  upline_commission: 0,
});

/** The stored figures of a period, added up per day or campaign. */
export async function sumPeriod(
  db: Reader,
  kind: SummedKind,
  period: InRange,
): Promise<Map<string, Figures>> {
  const sums = new Map<string, Figures>();
  for (const statement of statements[kind]) {
    for (const { key, ...figures } of await db.all(statement, period)) {
      const known = sums.get(key) ?? noFigures();
      sums.set(key, Object.assign(known, figures));
    }
  }
  return sums;
}

/** A period and the one before. */
export interface Compared<T> {
  readonly now: T;
  readonly before: T;
}

export interface ComparedRow extends Compared<Figures> {
  readonly key: string | number;
}

/** The stored figures of both periods, added up per coupon or affiliate. */
export async function compareCoupons(
  db: Reader,
  kind: 'coupon' | 'affiliate',
  periods: Compared<InRange>,
  totals: Compared<Figures>,
): Promise<ComparedRow[]> {
  const rows = new Map<number, ComparedRow>();
  for (const which of ['now', 'before'] as const) {
    const { orders, clicks } = totals[which];
    const figuresOf = (id: number) => rowOf(rows, id)[which];
    await addOrders(db, kind, periods[which], figuresOf, orders);
    await addClicks(db, kind, periods[which], figuresOf, clicks);
    if (kind === 'coupon') continue;
    for (const { user_id, ...sums } of await sumFormerOrders(db, periods[which])) {
      add(figuresOf(user_id), sums);
    }
    for (const { user_id, ...sums } of await sumFormerClicks(db, periods[which])) {
      add(figuresOf(user_id), sums);
    }
  }
  return [...rows.values()];
}

function add(sum: Figures, more: Partial<Figures>): void {
  for (const name of figureNames) sum[name] += more[name] ?? 0;
}

function rowOf(rows: Map<number, ComparedRow>, key: number): ComparedRow {
  let row = rows.get(key);
  if (!row) rows.set(key, (row = { key, now: noFigures(), before: noFigures() }));
  return row;
}
