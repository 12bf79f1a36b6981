import { sql } from 'kysely';
import { columnGroups } from '../../db/statements/columns.ts';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { updateRows } from '../../db/statements/rows-query.ts';

/** Fills existing rows for the migration `0005-what-an-order-earns-now`. */

const ROWS_AT_ONCE = 1_000;

const clearVoidCommissions = query((db) =>
  db
    .updateTable('referrals')
    .set({ commission: sql.lit(0) })
    .where('state', '=', sql.lit('void'))
    .where('commission', '<>', sql.lit(0)),
);

interface ReferralKey {
  order_id: number;
  coupon_id: number;
}

/** Referrals that earn nothing, with the code of their coupon and the order as the store sent it. */
const nextVoid = query<ReferralKey, ReferralKey & { code_folded: string; content: string }>(
  (db, p) =>
    db
      .selectFrom('referrals')
      .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
      .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
      .select([
        'referrals.order_id',
        'referrals.coupon_id',
        'coupons.code_folded',
        'orders.content',
      ])
      .where('referrals.via', '=', sql.lit('coupon'))
      .where('referrals.state', '=', sql.lit('void'))
      .where(
        sql<boolean>`(referrals.order_id, referrals.coupon_id) > (${p.order_id}, ${p.coupon_id})`,
      )
      .orderBy('referrals.order_id')
      .orderBy('referrals.coupon_id')
      .limit(sql.lit(ROWS_AT_ONCE)),
);

const markDropped = updateRows<ReferralKey & { dropped: number }>(
  'referrals',
  { order_id: 'number', coupon_id: 'number', dropped: 'number' },
  { key: ['order_id', 'coupon_id'], set: ['dropped'], add: [] },
);

/** Subtracts dropped referrals from the counts of orders by status. */
function subtractDropped(table: 'coupons' | 'coupon_days', ...keys: [string, string][]) {
  const counts = columnGroups.statuses.map((name) => {
    const status = name.slice(2).replace('_', '-');
    return sql`sum(case when status = ${sql.lit(status)} then 1 else 0 end) as ${sql.ref(name)}`;
  });
  const changes = columnGroups.statuses.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} - ${sql.ref(`gone.${name}`)}`,
  );
  const by = sql.join(keys.map(([, of]) => sql.ref(of)));
  const found = keys.map(
    ([own, of]) => sql`${sql.ref(`${table}.${own}`)} = ${sql.ref(`gone.${of}`)}`,
  );
  return query((db) => {
    const statement = sql<never>`update ${sql.table(table)} set ${sql.join(changes)}
      from (select ${by}, ${sql.join(counts)} from referrals where dropped = 1 group by ${by}) as gone
      where ${sql.join(found, sql` and `)}`;
    return { compile: () => statement.compile(db) };
  });
}

const subtractFromCoupons = subtractDropped('coupons', ['id', 'coupon_id']);
const subtractFromDays = subtractDropped('coupon_days', ['coupon_id', 'coupon_id'], ['day', 'day']);

const nextWithRate = query<{ after: number }, { order_id: number; content: string }>((db, p) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'content'])
    .where('order_id', '>', p.after)
    .where('content', 'like', sql.lit('%"exchange_rate":%'))
    .orderBy('order_id')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const setRates = updateRows<{ order_id: number; exchange_rate: string }>(
  'orders',
  { order_id: 'number', exchange_rate: 'text' },
  { key: ['order_id'], set: ['exchange_rate'], add: [] },
);

export async function fillDropped(tx: Transaction): Promise<void> {
  await tx.run(clearVoidCommissions, {});
  for (let after = { order_id: 0, coupon_id: 0 }; ;) {
    const rows = await tx.all(nextVoid, after);
    const dropped = rows.filter(({ code_folded, content }) => !usesCode(content, code_folded));
    await tx.runMany(
      markDropped,
      dropped.map(({ order_id, coupon_id }) => ({ order_id, coupon_id, dropped: 1 })),
    );
    if (rows.length < ROWS_AT_ONCE) break;
    const { order_id, coupon_id } = rows.at(-1)!;
    after = { order_id, coupon_id };
  }
  await tx.run(subtractFromCoupons, {});
  await tx.run(subtractFromDays, {});
}

function usesCode(content: string, codeFolded: string): boolean {
  const { coupon_codes } = JSON.parse(content) as { coupon_codes: string[] };
  return coupon_codes.some((code) => code.trim().toLowerCase() === codeFolded);
}

export async function fillExchangeRates(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await tx.all(nextWithRate, { after });
    await tx.runMany(
      setRates,
      rows.map(({ order_id, content }) => {
        const { exchange_rate } = JSON.parse(content) as { exchange_rate: number };
        return { order_id, exchange_rate: String(exchange_rate) };
      }),
    );
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.order_id;
  }
}
