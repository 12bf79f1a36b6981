import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { byNumber } from '../../../db/statements/keyed-query.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { addDays } from '../../../kernel/call/series.ts';
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

type Part = Partial<Figures> & { key: string | number | null };
type Sums = Query<InRange, Part>;

const orderFigures = [
  sql<number>`coalesce(sum(orders_count), 0)`.as('orders'),
  sql<number>`coalesce(sum(total_sales), 0)`.as('sales'),
  sql<number>`coalesce(sum(total_commission), 0)`.as('commission'),
  sql<number>`coalesce(sum(upline_commission), 0)`.as('upline_commission'),
] as const;

const names = ['orders', 'sales', 'commission', 'upline_commission'] as const;
const clickNames = ['clicks', 'conversions'] as const;

const storeByDay: Sums = query((db, p) =>
  db
    .selectFrom('store_days')
    .select('day as key')
    .select(orderFigures)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('day'),
);

/** Orders of all coupons; an order with several coupons counts for each of them. */
const couponSums = query<InRange, Part & { key: number }>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select('coupon_id as key')
    .select(orderFigures)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('coupon_id'),
);

/** Adding up coupons first leaves fewer rows to join. */
const affiliateSums: Sums = query((db, p) => {
  const coupons = db
    .selectFrom('coupon_days')
    .select('coupon_id')
    .select(orderFigures)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('coupon_id');
  return db
    .selectFrom(coupons.as('sums'))
    .innerJoin('coupons', 'coupons.id', 'sums.coupon_id')
    .select('coupons.user_id as key')
    .select(names.map((name) => total(`sums.${name}`)))
    .groupBy('coupons.user_id');
});

const clicksBy = (column: 'day' | 'coupon_id' | 'campaign'): Sums =>
  query((db, p) =>
    db
      .selectFrom(column === 'coupon_id' ? 'click_days' : 'campaign_days')
      .select(`${column} as key`)
      .select(clickNames.map((name) => total(name)))
      .where('day', '>=', p.first)
      .where('day', '<=', p.last)
      .groupBy(column),
  );

const affiliateClicks: Sums = query((db, p) => {
  const coupons = db
    .selectFrom('click_days')
    .select('coupon_id')
    .select(clickNames.map((name) => total(name)))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('coupon_id');
  return db
    .selectFrom(coupons.as('sums'))
    .innerJoin('coupons', 'coupons.id', 'sums.coupon_id')
    .select('coupons.user_id as key')
    .select(clickNames.map((name) => total(`sums.${name}`)))
    .groupBy('coupons.user_id');
});

/** The statements whose rows belong to a report. Clicks and orders have no country. */
const statements: Record<ReportKind, readonly Sums[]> = {
  day: [storeByDay, clicksBy('day')],
  affiliate: [affiliateSums, affiliateClicks],
  coupon: [couponSums, clicksBy('coupon_id')],
  campaign: [clicksBy('campaign')],
  country: [],
};

/**
 * The same for SQLite, one row per coupon and day: adding them up here takes half the time of grouping them in SQLite,
 * which sorts them first (measured).
 */
const couponOrders: Sums = query((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(['coupon_id as key', 'orders_count as orders', 'total_sales as sales'])
    .select(['total_commission as commission', 'upline_commission'])
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

const couponClicks: Sums = query((db, p) =>
  db
    .selectFrom('click_days')
    .select(['coupon_id as key', 'clicks', 'conversions'])
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

const byCoupon = [couponOrders, couponClicks];

const owners = byNumber<{ id: number; user_id: number | null }>((db, isKey) =>
  db.selectFrom('coupons').select(['id', 'user_id']).where(isKey('id')),
);

/** SQLite blocks the event loop during a statement, so one statement covers only this many days. */
const DAYS_AT_ONCE = 10;

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

/** The kept daily figures of a period, added up per row of the report. */
export async function sumPeriod(
  db: Reader,
  { blocksEventLoop }: Dialect,
  kind: ReportKind,
  period: InRange,
): Promise<FiguresByKey> {
  const sums: FiguresByKey = new Map();
  const isOfCoupons = kind === 'coupon' || kind === 'affiliate';
  const read = blocksEventLoop && isOfCoupons ? byCoupon : statements[kind];
  for (const range of blocksEventLoop ? piecesOf(period) : [period]) {
    for (const statement of read) {
      for (const part of await db.all(statement, range)) add(sums, part);
    }
    if (blocksEventLoop) await nextTurn();
  }
  return blocksEventLoop && kind === 'affiliate' ? byOwner(db, sums) : sums;
}

const COUPONS_AT_ONCE = 2_000;

/** The figures of coupons, added up per affiliate. */
async function byOwner(db: Reader, ofCoupons: FiguresByKey): Promise<FiguresByKey> {
  const sums: FiguresByKey = new Map();
  const ids = [...ofCoupons.keys()].map(Number);
  for (let first = 0; first < ids.length; first += COUPONS_AT_ONCE) {
    for (const { id, user_id } of await db.allByKeys(
      owners,
      ids.slice(first, first + COUPONS_AT_ONCE),
    )) {
      add(sums, { key: user_id, ...ofCoupons.get(id) });
    }
    await nextTurn();
  }
  return sums;
}

/** Written out, because a report of a year adds hundreds of thousands of rows. */
function add(sums: FiguresByKey, part: Part): void {
  const key = part.key ?? NO_KEY;
  let figures = sums.get(key);
  if (!figures) sums.set(key, (figures = noFigures()));
  if (part.orders !== undefined) {
    figures.orders += part.orders;
    figures.sales += part.sales ?? 0;
    figures.commission += part.commission ?? 0;
    figures.upline_commission += part.upline_commission ?? 0;
  }
  if (part.clicks !== undefined) {
    figures.clicks += part.clicks;
    figures.conversions += part.conversions ?? 0;
  }
}

function* piecesOf({ first, last }: InRange): Generator<InRange> {
  for (let day = first; day <= last; day = addDays(day, DAYS_AT_ONCE)) {
    const end = addDays(day, DAYS_AT_ONCE - 1);
    yield { first: day, last: end < last ? end : last };
  }
}
