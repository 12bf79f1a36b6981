import { isMainThread } from 'node:worker_threads';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { long } from '../../../db/statements/query.ts';
import type { Place } from '../order-place.ts';
import { orderStatuses } from '../settings.ts';

/** On the event loop, other requests wait for a page: it takes a few milliseconds. A thread has time. */
const PLACES_AT_ONCE = isMainThread ? 100 : 500;

/** Merges the statuses in the index by status and date, and reads nothing else. */
const nextPlaces = readAll<Place & { until: number; limit: number }, Place>((db, p) => {
  const ofStatuses = orderStatuses.map(
    (status) => sql`select placed_at, order_id from orders where status = ${sql.lit(status)}
      and (placed_at, order_id) > (${p.placed_at}, ${p.order_id}) and placed_at <= ${p.until}`,
  );
  const statement = sql<Place>`${sql.join(ofStatuses, sql` union all `)}
    order by placed_at, order_id limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
}, long);

/** The orders after a place, in pages, until a time: by the time they were placed, then by number. */
export async function* placesAfter(
  db: Reader,
  after: Place,
  until: number,
): AsyncGenerator<Place[]> {
  for (let { placed_at, order_id } = after; ;) {
    const places = await nextPlaces(db, { placed_at, order_id, until, limit: PLACES_AT_ONCE });
    if (places.length > 0) yield places;
    if (places.length < PLACES_AT_ONCE) return;
    ({ placed_at, order_id } = places.at(-1)!);
  }
}
