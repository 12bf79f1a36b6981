import { sql, type Selectable } from 'kysely';
import { columnGroups } from '../db/columns.ts';
import type { Transaction } from '../db/database.ts';
import { query, type Query } from '../db/query.ts';
import type { EventsTable, JournalTable, OrdersTable, ReferralsTable } from '../db/tables.ts';

/** What one transaction writes, table by table. */
export interface BulkRows {
  orders: Selectable<OrdersTable>[];
  referrals: Selectable<ReferralsTable>[];
  journal: Omit<Selectable<JournalTable>, 'id'>[];
  events: Omit<Selectable<EventsTable>, 'id'>[];
}

type Table = keyof BulkRows;

/** New rows only, so that nothing is looked up first. */
function inserting<T extends Table>(table: T, columns: readonly (keyof BulkRows[T][number])[]) {
  return query<BulkRows[T][number]>((db, p) =>
    db
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column, p[column]])) as never),
  );
}

const inserts: { [T in Table]: Query<BulkRows[T][number], never> } = {
  orders: inserting('orders', [
    'order_id',
    'placed_at',
    'day',
    'status',
    'currency',
    'total',
    'discount',
    'shipping',
    'refunded',
    'modified_at',
    'customer_hash',
    'content',
    'created_at',
    'updated_at',
  ]),
  referrals: inserting('referrals', [
    'order_id',
    'coupon_id',
    'user_id',
    'via',
    'rates',
    'day',
    'status',
    'commission',
    'state',
    'awaiting',
    'granted',
    'release_at',
    'counted',
    'sales',
    'discount',
    'shipping',
  ]),
  journal: inserting('journal', [
    'coupon_id',
    'from_pool',
    'to_pool',
    'amount',
    'kind',
    'order_id',
    'user_id',
    'note',
    'created_at',
    'unpaid_after',
    'awaiting_after',
    'pending_payout_after',
    'paid_after',
  ]),
  events: inserting('events', [
    'kind',
    'event',
    'object_id',
    'user_id',
    'info',
    'data',
    'created_at',
    'kind_ordinal',
    'event_ordinal',
    'user_ordinal',
  ]),
};

/** Table by table: what lies together is written together. */
export async function insertRows(tx: Transaction, rows: BulkRows): Promise<void> {
  for (const row of rows.orders) await tx.run(inserts.orders, row);
  for (const row of rows.referrals) await tx.run(inserts.referrals, row);
  for (const row of rows.journal) await tx.run(inserts.journal, row);
  for (const row of rows.events) await tx.run(inserts.events, row);
}

export interface Balances {
  unpaid: number;
  awaiting: number;
  pending_payout: number;
  paid: number;
}

const balancesOf = query<{ id: number }, Balances>((db, p) =>
  db
    .selectFrom('coupons')
    .select(['unpaid', 'awaiting', 'pending_payout', 'paid'])
    .where('id', '=', p.id),
);

export async function findBalances(tx: Transaction, couponId: number): Promise<Balances> {
  return (await tx.first(balancesOf, { id: couponId }))!;
}

const ordinalColumns = {
  kind: 'kind_ordinal',
  event: 'event_ordinal',
  user_id: 'user_ordinal',
} as const;

function lastOrdinalBy(column: keyof typeof ordinalColumns) {
  return query<{ value: string | number }, { n: number }>((db, p) =>
    db
      .selectFrom('events')
      .select(`${ordinalColumns[column]} as n`)
      .where(column, '=', p.value as never)
      .orderBy('id', 'desc')
      .limit(1),
  );
}

const lastOrdinals = {
  kind: lastOrdinalBy('kind'),
  event: lastOrdinalBy('event'),
  user_id: lastOrdinalBy('user_id'),
};

/** How many events of this kind, name or user there are. */
export async function findLastOrdinal(
  tx: Transaction,
  column: keyof typeof ordinalColumns,
  value: string | number,
): Promise<number> {
  return (await tx.first(lastOrdinals[column], { value }))?.n ?? 0;
}

export const storeFigureNames = columnGroups.figures;
export const couponFigureNames = [...columnGroups.figures, ...columnGroups.statuses];
const couponSums = [...couponFigureNames, 'unpaid', 'awaiting'];

type Sums = Record<string, number>;

/** `a = a + ?` for each of the columns, in the form that set and upsert take. */
function added(table: string, p: object, names: readonly string[]): never {
  const values = p as Record<string, unknown>;
  const sums = names.map((name) => [name, sql`${sql.ref(`${table}.${name}`)} + ${values[name]}`]);
  return Object.fromEntries(sums) as never;
}

function given(p: object, names: readonly string[]): never {
  return Object.fromEntries(names.map((name) => [name, (p as Sums)[name]])) as never;
}

const addToCoupon = query<{ coupon_id: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set(added('coupons', p, couponSums))
    .where('id', '=', p.coupon_id),
);

const addToCouponDay = query<{ coupon_id: number; day: string }>((db, p) =>
  db
    .insertInto('coupon_days')
    .values(given(p, ['coupon_id', 'day', ...couponFigureNames]))
    .onConflict((conflict) =>
      conflict
        .columns(['coupon_id', 'day'])
        .doUpdateSet(added('coupon_days', p, couponFigureNames)),
    ),
);

const addToStoreDay = query<{ day: string }>((db, p) =>
  db
    .insertInto('store_days')
    .values(given(p, ['day', ...storeFigureNames]))
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet(added('store_days', p, storeFigureNames)),
    ),
);

export async function addSums(
  tx: Transaction,
  sums: {
    coupons: ReadonlyMap<number, Sums>;
    couponDays: Iterable<{ coupon_id: number; day: string; figures: Sums }>;
    storeDays: ReadonlyMap<string, Sums>;
  },
): Promise<void> {
  for (const [coupon_id, figures] of sums.coupons) {
    await tx.run(addToCoupon, { coupon_id, ...figures });
  }
  for (const { coupon_id, day, figures } of sums.couponDays) {
    await tx.run(addToCouponDay, { coupon_id, day, ...figures });
  }
  for (const [day, figures] of sums.storeDays) await tx.run(addToStoreDay, { day, ...figures });
}
