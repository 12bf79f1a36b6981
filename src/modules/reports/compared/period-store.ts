import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { addClicks, addOrders, eachOwner } from '../coupon-sums-store.ts';
import { total, type InRange } from '../report-store.ts';

/** What a report can be divided by. */
export const reportKinds = ['day', 'affiliate', 'coupon', 'campaign', 'country'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Amounts are minor units. */
export interface Figures {
  clicks: number;
  conversions: number;
  orders: number;
  sales: number;
  commission: number;
  upline_commission: number;
}

export const figureNames = [
  'clicks',
  'conversions',
  'orders',
  'sales',
  'commission',
  'upline_commission',
] as const;

/** Figures by day, id or campaign. */
export type FiguresByKey = Map<string | number, Figures>;

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

/** The statements whose rows belong to a report. Clicks and orders have no country. */
const statements: Record<Exclude<ReportKind, 'affiliate' | 'coupon'>, readonly Sums[]> = {
  day: [storeByDay, clicksBy('day')],
  campaign: [clicksBy('campaign')],
  country: [],
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

/** The stored figures of a period, added up per row of the report. */
export async function sumPeriod(
  db: Reader,
  kind: ReportKind,
  period: InRange,
): Promise<FiguresByKey> {
  if (kind === 'coupon') return sumCoupons(db, period);
  if (kind === 'affiliate') return byOwner(db, await sumCoupons(db, period));
  const sums: FiguresByKey = new Map();
  for (const statement of statements[kind]) {
    for (const { key, ...figures } of await db.all(statement, period)) {
      Object.assign(figuresOf(sums, key), figures);
    }
  }
  return sums;
}

async function sumCoupons(db: Reader, period: InRange): Promise<Map<number, Figures>> {
  const sums = new Map<number, Figures>();
  const ofCoupon = (id: number) => figuresOf(sums, id);
  await addOrders(db, period, ofCoupon);
  await addClicks(db, period, ofCoupon);
  return sums;
}

/** The figures of coupons, added up per affiliate. */
async function byOwner(db: Reader, ofCoupons: Map<number, Figures>): Promise<FiguresByKey> {
  const sums: FiguresByKey = new Map();
  await eachOwner(db, [...ofCoupons.keys()], (couponId, userId) => {
    const sum = figuresOf(sums, userId);
    const figures = ofCoupons.get(couponId)!;
    for (const name of figureNames) sum[name] += figures[name];
  });
  return sums;
}

function figuresOf<K>(sums: Map<K, Figures>, key: K): Figures {
  let figures = sums.get(key);
  if (!figures) sums.set(key, (figures = noFigures()));
  return figures;
}
