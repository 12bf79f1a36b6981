import { sql, type SqlBool } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { findIn } from '../../../src/db/statements/plain-calls.ts';
import type { DeliveryState } from '../../../src/modules/deliveries/index.ts';
import type { Slice } from '../../../src/shared/pagination.ts';
import type { DeliveryRow } from './delivery-rows.ts';

/**
 * The statements for deliveries that meet a condition. Conditions are written out, because neither database uses a
 * partial index for a bound parameter.
 */
function deliveriesThat(condition: string) {
  const isMet = sql<SqlBool>`${sql.raw(condition)}`;
  return pagedList(
    (db, p: { webhook_id: number }) =>
      db.selectFrom('webhook_deliveries').where('webhook_id', '=', p.webhook_id).where(isMet),
    (q) => q.selectAll().orderBy('event_id', 'desc'),
  );
}

const all = deliveriesThat('1 = 1');
const inState = {
  // Exactly the pending deliveries are due at some time; the index of due deliveries finds them.
  pending: deliveriesThat('due_at is not null'),
  delivered: deliveriesThat("state = 'delivered'"),
  failed: deliveriesThat("state = 'failed'"),
};

export const findDelivery = findIn('webhook_deliveries', 'id', 'webhook_id');

export interface DeliveryFilter {
  webhook_id: number;
  state?: DeliveryState | undefined;
}

export async function countDeliveries(
  db: Reader,
  { webhook_id, state }: DeliveryFilter,
): Promise<number> {
  const readCount = ({ count }: typeof all) => count(db, { webhook_id });
  if (state === undefined) return readCount(all);
  if (state !== 'delivered') return readCount(inState[state]);
  // Most are delivered: counting the others reads far less.
  const [total, pending, failed] = await Promise.all([
    readCount(all),
    readCount(inState.pending),
    readCount(inState.failed),
  ]);
  return Math.max(0, total - pending - failed);
}

export function listDeliveryRows(
  db: Reader,
  { webhook_id, state }: DeliveryFilter,
  slice: Slice,
): Promise<DeliveryRow[]> {
  const { page } = state === undefined ? all : inState[state];
  return page(db, { webhook_id }, slice);
}
