import { sql, type SqlBool } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import type { DeliveryState } from '../tables.ts';
import type { DeliveryRow } from './delivery-store.ts';

interface Page {
  limit: number;
  offset: number;
}

/**
 * The statements for deliveries that meet a condition. Conditions are written out, because neither database uses a
 * partial index for a bound parameter.
 */
function deliveriesThat(condition: string) {
  const isMet = sql<SqlBool>`${sql.raw(condition)}`;
  return {
    count: query<{ webhook_id: number }, { total: number }>((db, p) =>
      db
        .selectFrom('webhook_deliveries')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('webhook_id', '=', p.webhook_id)
        .where(isMet),
    ),
    list: query<{ webhook_id: number } & Page, DeliveryRow>((db, p) =>
      db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', p.webhook_id)
        .where(isMet)
        .orderBy('event_id', 'desc')
        .limit(p.limit)
        .offset(p.offset),
    ),
  };
}

const all = deliveriesThat('1 = 1');
const inState = {
  // Exactly the pending deliveries are due at some time; the index of due deliveries finds them.
  pending: deliveriesThat('due_at is not null'),
  delivered: deliveriesThat("state = 'delivered'"),
  failed: deliveriesThat("state = 'failed'"),
};

const one = query<{ id: number; webhook_id: number }, DeliveryRow>((db, p) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', p.id)
    .where('webhook_id', '=', p.webhook_id),
);

export interface DeliveryFilter {
  webhook_id: number;
  state?: DeliveryState | undefined;
}

export async function countDeliveries(
  db: Reader,
  { webhook_id, state }: DeliveryFilter,
): Promise<number> {
  const countOf = async ({ count }: typeof all) => (await db.first(count, { webhook_id }))!.total;
  if (state === undefined) return countOf(all);
  if (state !== 'delivered') return countOf(inState[state]);
  // Most are delivered: counting the others reads far less.
  const [total, pending, failed] = await Promise.all([
    countOf(all),
    countOf(inState.pending),
    countOf(inState.failed),
  ]);
  return Math.max(0, total - pending - failed);
}

export function listDeliveryRows(
  db: Reader,
  { webhook_id, state }: DeliveryFilter,
  page: Page,
): Promise<DeliveryRow[]> {
  const { list } = state === undefined ? all : inState[state];
  return db.all(list, { webhook_id, ...page });
}

export function findDelivery(
  db: Reader,
  webhookId: number,
  id: number,
): Promise<DeliveryRow | undefined> {
  return db.first(one, { id, webhook_id: webhookId });
}
