import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { EventsTable, Tables } from '../../db/tables.ts';

const shown = [
  'id',
  'kind',
  'event',
  'object_id',
  'user_id',
  'info',
  'data',
  'created_at',
] as const;

export type EventRow = Pick<Selectable<EventsTable>, (typeof shown)[number]>;

type NewEvent = Omit<EventRow, 'id'>;

/** The columns of an event but for its ordinals. */
const columnsOf = (p: NewEvent): NewEvent => ({
  kind: p.kind,
  event: p.event,
  object_id: p.object_id,
  user_id: p.user_id,
  info: p.info,
  data: p.data,
  created_at: p.created_at,
});

const insert = query<NewEvent>((db, p) =>
  db.insertInto('events').values({
    ...columnsOf(p),
    kind_ordinal: sql<number>`${lastOrdinal(db, 'kind', p.kind)} + 1`,
    event_ordinal: sql<number>`${lastOrdinal(db, 'event', p.event)} + 1`,
    user_ordinal: sql<number>`${lastOrdinal(db, 'user_id', p.user_id)} + 1`,
  }),
);

type Numbered = NewEvent & { kind_ordinal: number; event_ordinal: number; user_ordinal: number };

const insertNumbered = query<Numbered>((db, p) =>
  db.insertInto('events').values({
    ...columnsOf(p),
    kind_ordinal: p.kind_ordinal,
    event_ordinal: p.event_ordinal,
    user_ordinal: p.user_ordinal,
  }),
);

const lastOrdinals = query<
  Pick<NewEvent, 'kind' | 'event' | 'user_id'>,
  Record<'kind' | 'event' | 'user', number>
>((db, p) =>
  db.selectNoFrom([
    lastOrdinal(db, 'kind', p.kind).as('kind'),
    lastOrdinal(db, 'event', p.event).as('event'),
    lastOrdinal(db, 'user_id', p.user_id).as('user'),
  ]),
);

/** From this many events on, a transaction counts its ordinals itself. */
const COUNTS_FROM = 8;

/** How many events a transaction has written, and the last ordinals it knows of. */
const written = new WeakMap<Transaction, { events: number; ordinals: Map<string, number> }>();

/**
 * Finding the last ordinals costs as much as the rest of an event. A transaction that writes many, a
 * batch of orders, finds them once and counts on; nobody else writes meanwhile.
 */
export async function insertEvent(tx: Transaction, event: NewEvent): Promise<void> {
  let known = written.get(tx);
  if (!known) written.set(tx, (known = { events: 0, ordinals: new Map() }));
  known.events += 1;
  if (known.events < COUNTS_FROM) {
    await tx.run(insert, event);
    return;
  }
  const { ordinals } = known;
  const [kind, name, user] = [`k ${event.kind}`, `e ${event.event}`, `u ${event.user_id}`];
  if (!ordinals.has(kind) || !ordinals.has(name) || !ordinals.has(user)) {
    const last = (await tx.first(lastOrdinals, event))!;
    ordinals.set(kind, last.kind).set(name, last.event).set(user, last.user);
  }
  const next = (of: string) => {
    const ordinal = ordinals.get(of)! + 1;
    ordinals.set(of, ordinal);
    return ordinal;
  };
  await tx.run(insertNumbered, {
    ...event,
    kind_ordinal: next(kind),
    event_ordinal: next(name),
    user_ordinal: next(user),
  });
}

/** What a reader of the feed may narrow it to. */
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

/** The newest position; 0 while there is none. */
const newest = sql<number>`coalesce((select max(id) from events), 0)`;

/** How many events of this kind, name or user there are up to a position: one step in an index. */
function lastOrdinal(
  db: Kysely<Tables>,
  column: Filtered,
  value: string | number,
  upTo?: number,
): RawBuilder<number> {
  const last = db
    .selectFrom('events')
    .select(ordinals[column])
    .where(column, '=', value as never)
    .$if(upTo !== undefined, (q) => q.where('id', '<=', upTo!))
    .orderBy('id', 'desc')
    .limit(1);
  return sql<number>`coalesce((${last}), 0)`;
}

/**
 * The total of a filter, without counting rows where one column is filtered: ids and ordinals have
 * no gaps. Two columns at once are counted along an index.
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
    .where((eb) => eb.and(filters.map(([column, value]) => eb(column, '=', value as never))))
    .$if(after !== undefined, (q) => q.where('id', '>', after!));
  return sql<number>`(${counted})`;
}

interface Poll extends EventFilter {
  after: number;
  limit: number;
}

/**
 * One poll of the feed is one statement: the events after the cursor, the total and the head of the
 * feed, all of the same moment. The figures come as a row of their own with the id 0, so that they
 * are there even when no event is.
 */
const poll = query<Poll, EventRow>((db, p, given) => {
  const filters = filtersOf(p, given);
  const figures = db.selectNoFrom([
    sql<number>`0`.as('id'),
    sql<string>`''`.as('kind'),
    sql<string>`''`.as('event'),
    newest.as('object_id'),
    totalOf(db, filters, p.after).as('user_id'),
    sql<string>`''`.as('info'),
    sql<string>`''`.as('data'),
    sql<number>`0`.as('created_at'),
  ]);
  const page = db
    .selectFrom('events')
    .select(shown)
    .where('id', '>', p.after)
    .where((eb) => eb.and(filters.map(([column, value]) => eb(column, '=', value as never))))
    .orderBy('id')
    .limit(p.limit);
  return figures.unionAll(db.selectFrom(page.as('page')).select(shown));
});

export async function pollEvents(
  db: Reader,
  request: Poll,
): Promise<{ head: number; total: number; events: EventRow[] }> {
  const rows = await db.all(poll, request);
  const { object_id, user_id } = rows.shift()!;
  return { head: object_id, total: user_id, events: rows };
}

const count = query<EventFilter, { total: number; head: number }>((db, p, given) =>
  db.selectNoFrom([totalOf(db, filtersOf(p, given)).as('total'), newest.as('head')]),
);

const newestFiltered = query<EventFilter & { limit: number; offset: number }, EventRow>(
  (db, p, given) =>
    db
      .selectFrom('events')
      .select(shown)
      .where((eb) =>
        eb.and(filtersOf(p, given).map(([column, value]) => eb(column, '=', value as never))),
      )
      .orderBy('id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
);

/** Without a filter ids have no gaps, so that any page is found by its ids alone. */
const newestUnfiltered = query<{ from: number; to: number }, EventRow>((db, p) =>
  db
    .selectFrom('events')
    .select(shown)
    .where('id', '>=', p.from)
    .where('id', '<=', p.to)
    .orderBy('id', 'desc'),
);

export async function countEvents(
  db: Reader,
  filter: EventFilter,
): Promise<{ total: number; head: number }> {
  return (await db.first(count, filter))!;
}

export function newestEvents(
  db: Reader,
  filter: EventFilter,
  head: number,
  page: { limit: number; offset: number },
): Promise<EventRow[]> {
  const filtered = Object.values(filter).some((value) => value !== undefined);
  if (filtered) return db.all(newestFiltered, { ...filter, ...page });
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
