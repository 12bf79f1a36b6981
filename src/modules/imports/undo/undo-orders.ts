import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { asChanged, findOrdersToChange, ingestOrders } from '../../orders/index.ts';
import { countOnImport, findOrderLinks, removeLinksUpTo } from '../import-rows.ts';
import { refused } from './not-undoable.ts';

const ORDERS_AT_ONCE = 200;

/** A coupon of whose commission for orders of the import a part is paid or on its way. */
const paidOut = query<
  { import_id: number; limit: number },
  { code: string; earned: number; unpaid: number }
>((db, p) => {
  const statement = sql<never>`select coupons.code, coupons.unpaid, earned.amount as earned
    from (select referrals.coupon_id, sum(referrals.granted) as amount
      from (select external_id from import_links
        where import_id = ${p.import_id} and kind = 'order' order by id limit ${p.limit}) as orders
      join referrals on referrals.order_id = cast(orders.external_id as bigint)
      group by referrals.coupon_id) as earned
    join coupons on coupons.id = earned.coupon_id
    where earned.amount > 0 and earned.amount > coupons.unpaid
    order by coupons.id limit 1`;
  return { compile: () => statement.compile(db) };
});

/** Refuses to take back more from a coupon than it has. */
export async function requireUnpaid(
  db: Reader,
  { currency }: Site,
  importId: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const coupon = await db.first(paidOut, { import_id: importId, limit });
  if (!coupon) return;
  const [earned, left] = [coupon.earned, coupon.unpaid].map(
    (amount) => `${currency.toMajor(amount)} ${currency.code}`,
  );
  throw refused(
    `Import ${importId} cannot be undone: its orders have earned ${earned} for the coupon ${coupon.code}, and ${left} ` +
      'of it are neither paid nor on their way. Cancel single orders instead.',
  );
}

interface Undone {
  records: number;
  readonly kept: string[];
}

/**
 * Cancels the orders that an import has created, which takes their commission back. Orders that were changed since
 * stay. It goes on where it was interrupted: links are removed with their orders.
 */
export async function undoOrders(site: Site, importId: number, undone: Undone): Promise<void> {
  for (;;) {
    const piece = await site.database.transaction((tx) => undoSome(tx, site, importId));
    if (!piece) return;
    undone.records += piece.cancelled;
    undone.kept.push(...piece.kept.map((order) => `order ${order} (was changed since)`));
  }
}

async function undoSome(tx: Transaction, site: Site, importId: number) {
  const links = await findOrderLinks(tx, { import_id: importId, limit: ORDERS_AT_ONCE });
  const last = links.at(-1);
  if (!last) return undefined;
  await requireUnpaid(tx, site, importId, ORDERS_AT_ONCE);
  const ids = links.map(({ external_id }) => Number(external_id));
  const orders = await findOrdersToChange(tx, ids);
  const [same, changed] = [
    orders.filter((order) => order.updated_at === order.created_at),
    orders.filter((order) => order.updated_at !== order.created_at),
  ];
  const context = { actorId: 0, nowMs: site.clock() };
  const incoming = same.map((order) => ({
    order: asChanged(site, order, { status: 'cancelled' }),
    context,
  }));
  await ingestOrders(tx, site, incoming);
  await removeLinksUpTo(tx, { import_id: importId, id: last.id });
  await countOnImport(tx, importId, { kept: changed.length });
  return { cancelled: same.length, kept: changed.map(({ order_id }) => order_id) };
}
