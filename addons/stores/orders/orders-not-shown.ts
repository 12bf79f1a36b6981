import type { Reader } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import { findConnector } from '../connectors/connectors.ts';

const COUNTED_MAX = 100;
const NAMED_MAX = 3;

const newest = readAll<{ connection_id: number; limit: number }, { order_id: number }>((db, p) =>
  db
    .selectFrom('store_orders')
    .select('order_id')
    .where('connection_id', '=', p.connection_id)
    .where('unseen_at', 'is not', null)
    .orderBy('unseen_at', 'desc')
    .limit(p.limit),
);

/** Which stored orders a store does not show, in a sentence; empty if it shows all. */
export async function tellNotShown(
  db: Reader,
  site: Site,
  { id, kind }: ConnectionRow,
): Promise<string> {
  const orders = await newest(db, { connection_id: id, limit: COUNTED_MAX });
  if (orders.length === 0) return '';
  const named = orders.slice(0, NAMED_MAX).map(({ order_id }) => order_id);
  const isMany = orders.length === COUNTED_MAX;
  const count = `${isMany ? 'at least ' : ''}${countOf(orders.length, 'order')}`;
  const which = named.length < orders.length ? `such as ${named.join(', ')}` : named.join(', ');
  const why = findConnector(site, kind)?.hides?.reason;
  return (
    `The store says that it does not have ${count} that ${orders.length === 1 ? 'is' : 'are'} stored here (${which}). ` +
    `That alone cancels nothing: what was earned stays.${why === undefined ? '' : ` ${why}`}`
  );
}
