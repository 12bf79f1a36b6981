import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { updateRows } from '../../db/statements/rows-query.ts';

/** Fills existing rows for the migration `0008-attribution-of-links`. */

const ROWS_AT_ONCE = 1_000;

const nextWithClick = query<{ after: number }, { order_id: number; content: string }>((db, p) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'content'])
    .where('order_id', '>', p.after)
    .where('content', 'like', sql.lit('{"click_id":%'))
    .orderBy('order_id')
    .limit(sql.lit(ROWS_AT_ONCE)),
);

const setClicks = updateRows<{ order_id: number; click_id: number }>(
  'orders',
  { order_id: 'number', click_id: 'number' },
  { key: ['order_id'], set: ['click_id'], add: [] },
);

/**
 * Before this migration only a click led to the coupon of a link, and only a customer to a lifetime
 * affiliate.
 */
const nameFields = query((db) => {
  const statement = sql<never>`update referrals
    set credited_by = case via when 'link' then 'click_id' else 'customer' end,
      click_id = case via when 'link' then
        (select orders.click_id from orders where orders.order_id = referrals.order_id) end
    where via in ('link', 'lifetime')`;
  return { compile: () => statement.compile(db) };
});

export async function fillAttribution(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await tx.all(nextWithClick, { after });
    await tx.runMany(
      setClicks,
      rows.map(({ order_id, content }) => {
        const { click_id } = JSON.parse(content) as { click_id: number };
        return { order_id, click_id };
      }),
    );
    if (rows.length < ROWS_AT_ONCE) break;
    after = rows.at(-1)!.order_id;
  }
  await tx.run(nameFields, {});
}
