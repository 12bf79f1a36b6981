import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { RowOf, Tables } from '../../db/tables.ts';
import { restrictedKinds } from '../../kernel/declare/event.ts';
import {
  isAboutAdministratorsKey,
  isAboutVisibleKey,
  type KeyVisibility,
} from './keys-of-administrators.ts';
import { readSequenced, unsequenced, sequenceEvents } from './sequence-events.ts';

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

export type EventRow = Pick<RowOf<'events'>, (typeof eventColumns)[number]>;

/** The columns by which the feed can be filtered. */
export interface EventFilter extends KeyVisibility {
  kind?: string | undefined;
  event?: string | undefined;
  user_id?: number | undefined;
  /** Leaves out the restricted kinds. Not for a filter by name, whose kind is known. */
  open?: true | undefined;
}

/** Literals, as in the partial index `events_restricted`: a database uses it only for the same condition. */
const restricted = sql.join(restrictedKinds.map((kind) => sql.lit(kind)));
export const isOpen = sql<SqlBool>`kind not in (${restricted})`;
const isRestricted = sql<SqlBool>`kind in (${restricted})`;

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

/** The number of restricted events up to a position. */
function restrictedUpTo(db: Kysely<Tables>, upTo?: number): RawBuilder<number> {
  const counts = restrictedKinds.map((kind) => lastOrdinal(db, 'kind', kind, upTo));
  return sql<number>`(${sql.join(counts, sql` + `)})`;
}

/**
 * The total of a filter. With one filtered column no rows are counted, because ids and ordinals have no gaps;
 * two columns are counted along an index, and so are the restricted events of a user.
 */
function totalOf(
  db: Kysely<Tables>,
  filters: [Filtered, string | number][],
  open: boolean,
  after?: number,
): RawBuilder<number> {
  const [first, second] = filters;
  if (!first) {
    const all = open ? sql<number>`${newest} - ${restrictedUpTo(db)}` : newest;
    if (after === undefined) return all;
    const before = open ? sql<number>`(${after} - ${restrictedUpTo(db, after)})` : after;
    return sql<number>`case when ${newest} > ${after} then ${all} - ${before} else 0 end`;
  }
  if (!second) {
    let total = lastOrdinal(db, ...first);
    if (after !== undefined) total = sql<number>`${total} - ${lastOrdinal(db, ...first, after)}`;
    if (!open) return total;
    return sql<number>`${total} - ${countOf(db, [isEqual(first), isRestricted], after)}`;
  }
  return countOf(db, filters.map(isEqual), after);
}

/** Counts the events that meet all conditions. */
function countOf(
  db: Kysely<Tables>,
  conditions: readonly RawBuilder<SqlBool>[],
  after?: number,
): RawBuilder<number> {
  const counted = db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where((eb) => eb.and(conditions))
    .$if(after !== undefined, (q) => q.where('id', '>', after!));
  return sql<number>`(${counted})`;
}

interface Count {
  total: number;
  head: number;
  unsequenced: number;
}

interface Counted extends EventFilter {
  after: number | undefined;
}

/** The number of events that match, after a position if it is given, and the head of the feed. */
const count = query<Counted, Count>((db, p, given, dialect) => {
  const filters = filtersOf(p, given);
  const after = given('after') ? p.after : undefined;
  const total = totalOf(db, filters, given('open'), after);
  const conditions = [isAboutAdministratorsKey, ...filters.map(isEqual)];
  const seen = given('not_of_administrators')
    ? sql<number>`${total} - ${countOf(db, conditions, after)}`
    : total;
  return db.selectNoFrom([
    seen.as('total'),
    newest.as('head'),
    unsequenced(dialect).as('unsequenced'),
  ]);
});

interface Poll extends EventFilter {
  after: number;
  limit: number;
}

const next = query<Poll, EventRow>((db, p, given) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '>', p.after)
    .where((eb) => eb.and(filtersOf(p, given).map(isEqual)))
    .$if(given('open'), (q) => q.where(isOpen))
    .$if(given('not_of_administrators'), (q) => q.where(isAboutVisibleKey))
    .orderBy('id')
    .limit(p.limit),
);

/**
 * The events after a cursor, their total and the next cursor. Count and page are two statements, sent together, which
 * may see different moments: another process may move events into the feed in between. A page that lacks counted events
 * is read again, because the caller may have committed them.
 */
export async function pollEvents(
  database: Database,
  { limit, ...request }: Poll,
): Promise<{ events: EventRow[]; total: number; last: number }> {
  const { read } = database;
  const readPage = () => read.all(next, { ...request, limit });
  const [counted, page] = await readSequenced(
    database,
    () => Promise.all([read.first(count, request), readPage()]),
    ([found]) => found!.unsequenced === 1,
  );
  const { total, head } = counted!;
  const { after } = request;
  const events = page.length < Math.min(total, limit) ? await readPage() : page;
  // If no event matches, the poll has covered everything up to the head.
  const last = events.at(-1)?.id ?? (total === 0 ? Math.max(after, head) : after);
  return { events, total: Math.max(total, events.length), last };
}

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
    .$if(given('open'), (q) => q.where(isOpen))
    .$if(given('not_of_administrators'), (q) => q.where(isAboutVisibleKey))
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

/**
 * A page without a filter. Ids have no gaps, so the offset is subtracted from the head; what is restricted above that
 * position has to be skipped below it.
 */
const newestOpen = query<{ head: number; to: number; limit: number }, EventRow>((db, p) =>
  db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '<=', p.to)
    .where(isOpen)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(sql<number>`${restrictedUpTo(db, p.head)} - ${restrictedUpTo(db, p.to)}`),
);

export function countEvents(
  database: Database,
  filter: EventFilter,
): Promise<{ total: number; head: number }> {
  return readSequenced(
    database,
    async () => (await database.read.first(count, { ...filter, after: undefined }))!,
    (counted) => counted.unsequenced === 1,
  );
}

export function newestEvents(
  db: Reader,
  filter: EventFilter,
  head: number,
  page: { limit: number; offset: number },
): Promise<EventRow[]> {
  const { kind, event, user_id } = filter;
  const isFiltered = [kind, event, user_id, filter.not_of_administrators].some(
    (value) => value !== undefined,
  );
  if (isFiltered) return db.all(newestFiltered, { ...filter, head, ...page });
  return db.all(newestOpen, { head, to: head - page.offset, limit: page.limit });
}

function filtersOf(
  p: EventFilter,
  given: (name: Filtered) => boolean,
): [Filtered, string | number][] {
  const columns: Filtered[] = ['event', 'kind', 'user_id'];
  return columns.filter((column) => given(column)).map((column) => [column, p[column]!]);
}

/** More than any object has in practice. */
const EVENTS_MAX = 500;

const ofObject = query<{ kind: string; object_id: number }, Omit<EventRow, 'data'>>((db, p) =>
  db
    .selectFrom('events')
    .select(['id', 'kind', 'event', 'object_id', 'user_id', 'info', 'created_at'])
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.object_id)
    .orderBy('id', 'desc')
    .limit(sql.lit(EVENTS_MAX)),
);

/** The latest events of one kind about one object, newest first. */
export async function findEventsOf(database: Database, kind: string, objectId: number) {
  await sequenceEvents(database);
  return database.read.all(ofObject, { kind, object_id: objectId });
}
