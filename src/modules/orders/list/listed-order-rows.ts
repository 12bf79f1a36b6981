import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { rowsInOrder } from '../../../db/lists/sorted-ids.ts';
import { beginsWith } from '../../../db/statements/begins-with.ts';
import { byNumber, rowsByNumber } from '../../../db/statements/keyed-query.ts';
import { query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';
import { openStatuses } from '../settings.ts';

/** The stored content of an order is long, so lists leave it out. */
const columns = [
  'order_id',
  'placed_at',
  'status',
  'currency',
  'exchange_rate',
  'external_id',
  'number',
  'store_id',
  'total',
  'refunded',
] as const;

const isOpen = new Set<string>(openStatuses);

export type ListedOrder = Pick<OrderRow, (typeof columns)[number]>;

export type ListedReferral = Pick<
  ReferralRow,
  'order_id' | 'coupon_id' | 'commission' | 'state' | 'release_at' | 'via'
> & {
  code: string;
  /** The affiliate whom it was credited to; null if it moved to none. */
  user_id: number | null;
  login: string | null;
  display_name: string | null;
  /** What the commission of an open order that does not count yet is computed from. */
  open?: OpenReferral | undefined;
};

type OpenReferral = Pick<ReferralRow, 'order_id' | 'coupon_id' | 'rates'> &
  Pick<OrderRow, 'content'>;

const orders = rowsByNumber<ListedOrder>('order_id', (db, isKey) =>
  db.selectFrom('orders').select(columns).where(isKey('order_id')),
);

const referrals = byNumber<ListedReferral>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .leftJoin('users', 'users.id', 'referrals.user_id')
    .select([
      'referrals.order_id',
      'referrals.coupon_id',
      'referrals.commission',
      'referrals.state',
      'referrals.release_at',
      'referrals.via',
      'coupons.code',
      'users.id as user_id',
      'users.login',
      'users.display_name',
    ])
    .where(isKey('referrals.order_id'))
    .where('referrals.dropped', '=', sql.lit(0))
    .orderBy('referrals.coupon_id'),
);

const openReferrals = byNumber<OpenReferral>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
    .select(['referrals.order_id', 'referrals.coupon_id', 'referrals.rates', 'orders.content'])
    .where(isKey('referrals.order_id')),
);

interface Beginning {
  id: number;
  /** The affiliate whose login it is; 0 for the code of the coupon. */
  user_id: number;
  /** Whether others have had the coupon. */
  is_shared: number;
}

/** The coupons whose code begins with a text in lower case, and the accounts of users whose login does. */
const couponsOf = query<{ beginning: string; limit: number }, Beginning>((db, p) => {
  const byCode = db
    .selectFrom('coupons')
    .select(['id', sql<number>`0`.as('user_id'), sql<number>`0`.as('is_shared')])
    .where(beginsWith('code_folded', p.beginning))
    .orderBy('code_folded')
    .limit(p.limit);
  const users = db
    .selectFrom('users')
    .where(beginsWith('users.login_folded', p.beginning))
    .orderBy('users.login_folded')
    .limit(p.limit);
  const owned = users
    .innerJoin('coupons', 'coupons.user_id', 'users.id')
    .select(['coupons.id', 'users.id as user_id'])
    .select(sql<number>`case when owned_since is null then 0 else 1 end`.as('is_shared'));
  const former = users
    .innerJoin('former_accounts as former', 'former.user_id', 'users.id')
    .select(['former.coupon_id as id', 'users.id as user_id', sql<number>`1`.as('is_shared')]);
  return db
    .selectFrom(byCode.as('by_code'))
    .selectAll()
    .unionAll(db.selectFrom(owned.as('owned')).selectAll())
    .unionAll(db.selectFrom(former.as('former')).selectAll());
});

const COUPONS_MAX = 100;

/** What orders are credited to; if others have had a coupon, the affiliates and the codes say more. */
export async function findCouponsBeginning(
  db: Reader,
  folded: string,
): Promise<{ couponIds: number[]; codes?: string; users?: string }> {
  const found = await db.all(couponsOf, { beginning: folded, limit: COUPONS_MAX });
  const couponIds = [...new Set(found.map(({ id }) => id))];
  if (!found.some(({ is_shared }) => is_shared === 1)) return { couponIds };
  const codes = found.flatMap(({ id, user_id }) => (user_id === 0 ? [id] : []));
  const users = new Set(found.flatMap(({ user_id }) => (user_id === 0 ? [] : [user_id])));
  return { couponIds, codes: jsonList(codes), users: jsonList([...users]) };
}

/** Orders with their referrals, in the order of the numbers. */
export async function readOrders(
  db: Reader,
  numbers: readonly number[],
): Promise<{ order: ListedOrder; referrals: ListedReferral[] }[]> {
  const [rows, referred] = await Promise.all([
    rowsInOrder(db, orders, numbers),
    db.allByKeys(referrals, numbers),
  ]);
  const ofOrder = Map.groupBy(referred, (row) => row.order_id);
  const listed = rows.map((order) => ({ order, referrals: ofOrder.get(order.order_id) ?? [] }));
  const undecided = listed
    .filter(({ order }) => isOpen.has(order.status))
    .flatMap(({ referrals: own }) => own.filter(({ state }) => state === 'void'));
  if (undecided.length === 0) return listed;
  const open = await db.allByKeys(openReferrals, [...new Set(undecided.map((r) => r.order_id))]);
  for (const row of undecided) {
    row.open = open.find((o) => o.order_id === row.order_id && o.coupon_id === row.coupon_id);
  }
  return listed;
}
