import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { EventsTable } from './tables.ts';
import { readSequenced, unsequenced } from './sequence-events.ts';

export const eventColumns = [
  'id',
  'kind',
  'event',
  'object_id',
  'user_id',
  'info',
  'data',
  'created_at',
] as const;

export type EventRow = Pick<Selectable<EventsTable>, (typeof eventColumns)[number]>;

/** The columns by which the feed can be filtered. */
export interface EventFilter {
  kind?: string | undefined;
  event?: string | undefined;
  user_id?: number | undefined;
}

type Filtered = 'kind' | 'event' | 'user_id';

const ordinals = {
  kind: 'kind_ordinal',
  event: 'event_ordinal',
  user_id: 'user_ordinal',
} as const;

function isEqual([column, value]: [Filtered, string | number]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = ${value}`;
}

/** The newest position; 0 for an empty feed. */
const newest = sql<number>`coalesce((select max(id) from events), 0)`;

/** The number of events of this kind, name or user up to a position, found with one index lookup. */
export function lastOrdinal(
  db: Kysely<Tables>,
  column: Filtered,
  value: string | number,
  upTo?: number,
): RawBuilder<number> {
  const last = db
    .selectFrom('events')
    .select(ordinals[column])
    .where(isEqual([column, value]))
    .$if(upTo !== undefined, (q) => q.where('id', '<=', upTo!))
    .orderBy('id', 'desc')
    .limit(1);
  return sql<number>`coalesce((${last}), 0)`;
}

/**
 * The total of a filter. With one filtered column no rows are counted, because ids and ordinals have no gaps;
 * two columns are counted along an index.
 */
function totalOf(
  db: Kysely<Tables>,
  filters: [Filtered, string | number][],
  after?: number,
): RawBuilder<number> {
  const [first, second] = filters;
  if (!first) {
    if (after === undefined) return newest;
    return sql<number>`case when ${newest} > ${after} then ${newest} - ${after} else 0 end`;
  }
  if (!second) {
    const all = lastOrdinal(db, ...first);
    return after === undefined ? all : sql<number>`${all} - ${lastOrdinal(db, ...first, after)}`;
  }
  const counted = db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => eb.and(filters.map(isEqual)))
    .$if(after !== undefined, (q) => q.where('id', '>', after!));
  return sql<number>`(${counted})`;
}

interface Poll extends EventFilter {
  after: number;
  limit: number;
}

/**
 * One poll of the feed is one statement: the events after the cursor, the total and the head of the feed, all of
 * the same moment. The figures come first, in a row with the id 0 and the columns of an event, so that they are
 * there when no event is. Figures as columns of their own were slower: see docs/decisions/0006.
 */
const poll = query<Poll, EventRow>((db, p, given, dialect) => {
  const filters = filtersOf(p, given);
  const figures = db.selectNoFrom([
    sql<number>`0`.as('id'),
    sql<string>`''`.as('kind'),
    sql<string>`''`.as('event'),
    newest.as('object_id'),
    totalOf(db, filters, p.after).as('user_id'),
    sql<string>`''`.as('info'),
    sql<string>`''`.as('data'),
    unsequenced(dialect).as('created_at'),
  ]);
  const page = db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '>', p.after)
    .where((eb) => eb.and(filters.map(isEqual)))
    .orderBy('id')
    .limit(p.limit);
  return figures.unionAll(db.selectFrom(page.as('page')).select(eventColumns));
});

export async function pollEvents(
  database: Database,
  request: Poll,
): Promise<{ head: number; total: number; events: EventRow[] }> {
  const rows = await readSequenced(
    database,
    () => database.read.all(poll, request),
    (found) => found.find(({ id }) => id === 0)!.created_at === 1,
  );
  // SQL guarantees no order for a union, although both databases return it as written.
  if (rows[0]!.id !== 0) rows.sort((a, b) => a.id - b.id);
  const { object_id, user_id } = rows.shift()!;
  return { head: object_id, total: user_id, events: rows };
}

interface Count {
  total: number;
  head: number;
  unsequenced: number;
}

const count = query<EventFilter, Count>((db, p, given, dialect) =>
  db.selectNoFrom([
    totalOf(db, filtersOf(p, given)).as('total'),
    newest.as('head'),
    unsequenced(dialect).as('unsequenced'),
  ]),
);

interface FilteredPage extends EventFilter {
  head: number;
  limit: number;
  offset: number;
}

/** Only up to the counted head: newer events belong to the next poll. */
const newestFiltered = query<FilteredPage, EventRow>((db, p, given) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '<=', p.head)
    .where((eb) => eb.and(filtersOf(p, given).map(isEqual)))
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

/** Ids have no gaps, so a page without a filter is found by its ids. */
const newestUnfiltered = query<{ from: number; to: number }, EventRow>((db, p) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '>=', p.from)
    .where('id', '<=', p.to)
    .orderBy('id', 'desc'),
);

export function countEvents(
  database: Database,
  filter: EventFilter,
): Promise<{ total: number; head: number }> {
  return readSequenced(
    database,
    async () => (await database.read.first(count, filter))!,
    (counted) => counted.unsequenced === 1,
  );
}

export function newestEvents(
  db: Reader,
  filter: EventFilter,
  head: number,
  page: { limit: number; offset: number },
): Promise<EventRow[]> {
  const filtered = Object.values(filter).some((value) => value !== undefined);
  if (filtered) return db.all(newestFiltered, { ...filter, head, ...page });
  const to = head - page.offset;
  return db.all(newestUnfiltered, { from: to - page.limit + 1, to });
}

function filtersOf(
  p: EventFilter,
  given: (name: Filtered) => boolean,
): [Filtered, string | number][] {
  const columns: Filtered[] = ['event', 'kind', 'user_id'];
  return columns.filter((column) => given(column)).map((column) => [column, p[column]!]);
}
