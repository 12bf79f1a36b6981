import { isMainThread } from 'node:worker_threads';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { byPlace, type Place } from '../order-place.ts';
import { orderStatuses, type OrderStatus } from '../settings.ts';

/** On the event loop, other requests wait for a page: it takes a few milliseconds. A thread has time. */
const PLACES_AT_ONCE = isMainThread ? 100 : 500;

/** Reads nothing but the index by status and date. */
const placesOfStatus = readAll<
  Place & { status: OrderStatus; until: number; limit: number },
  Place
>((db, p) =>
  db
    .selectFrom('orders')
    .select(['placed_at', 'order_id'])
    .where('status', '=', p.status)
    .where(sql<boolean>`(placed_at, order_id) > (${p.placed_at}, ${p.order_id})`)
    .where('placed_at', '<=', p.until)
    .orderBy('placed_at')
    .orderBy('order_id')
    .limit(p.limit),
);

/** The orders of one status that are read and not taken yet. */
interface Stream {
  readonly status: OrderStatus;
  readonly places: Place[];
  after: Place;
  isEnded: boolean;
}

/** The orders after a place, in pages, until a time: by the time they were placed, then by number. */
export async function* placesAfter(
  db: Reader,
  after: Place,
  untilMs: number,
): AsyncGenerator<Place[]> {
  const streams = orderStatuses.map((status): Stream => ({
    status,
    places: [],
    after,
    isEnded: false,
  }));
  for (;;) {
    for (const stream of streams) if (stream.places.length === 0) await fill(db, stream, untilMs);
    // What one status has read reaches as far as the next order of it may stand.
    const ends = streams.flatMap(({ isEnded, places }) => (isEnded ? [] : [places.at(-1)!]));
    const end = ends.sort(byPlace)[0];
    const taken = streams.flatMap(({ places }) => {
      const next = end ? places.findIndex((one) => byPlace(one, end) > 0) : -1;
      return places.splice(0, next === -1 ? places.length : next);
    });
    if (taken.length > 0) yield taken.sort(byPlace);
    else if (!end) return;
  }
}

async function fill(db: Reader, stream: Stream, until: number): Promise<void> {
  if (stream.isEnded) return;
  const { status, after } = stream;
  const found = await placesOfStatus(db, { ...after, status, until, limit: PLACES_AT_ONCE });
  stream.places.push(...found);
  stream.after = found.at(-1) ?? after;
  stream.isEnded = found.length < PLACES_AT_ONCE;
}
