import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { eventColumns, isOpen, lastOrdinal, type EventRow } from './event-rows.ts';
import { isAboutVisibleKey, type KeyVisibility } from './keys-of-administrators.ts';

/** The filters of a search. */
export interface EventSearch extends KeyVisibility {
  /** The kinds of events about one type of object, or one kind. */
  kinds?: readonly string[] | undefined;
  event?: string | undefined;
  object_id?: number | undefined;
  user_id?: number | undefined;
  /** The first and the last instant, included. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** Leaves out the restricted kinds. */
  open?: true | undefined;
}

/** One range of an index, newest first, and the conditions that this index does not answer. */
interface Source {
  kind?: string | undefined;
  object_id?: number | undefined;
  event?: string | undefined;
  user_id?: number | undefined;
  other_kind?: string | undefined;
  other_event?: string | undefined;
  other_user?: number | undefined;
  open?: true | undefined;
}

/** Positions from `first` on and below `before`. */
interface Span extends KeyVisibility {
  first: number;
  before: number;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
}

type SourceSpan = Source & Span;

/** The most entries of an index that a page examines per source. The next page continues after them. */
const EXAMINED_MAX = 5_000;

/**
 * Positions and instants ascend together, except for events that several processes recorded at about the same time.
 * A search by time therefore covers this much more on both sides, and compares the instants.
 */
const DISORDER_MS = 60_000;

function examined(
  db: Kysely<Tables>,
  p: { [K in keyof SourceSpan]-?: Exclude<SourceSpan[K], undefined> },
  given: (name: keyof SourceSpan) => boolean,
) {
  return db
    .selectFrom('events')
    .select(eventColumns)
    .$if(given('kind'), (q) => q.where('kind', '=', p.kind))
    .$if(given('object_id'), (q) => q.where('object_id', '=', p.object_id))
    .$if(given('event'), (q) => q.where('event', '=', p.event))
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id))
    .where('id', '<', p.before)
    .where('id', '>=', p.first)
    .orderBy('id', 'desc')
    .limit(sql.lit(EXAMINED_MAX));
}

/** The limit of the inner select also keeps both databases from using another index for the other conditions. */
const page = query<SourceSpan & { limit: number }, EventRow>((db, p, given) =>
  db
    .selectFrom(examined(db, p, given).as('examined'))
    .selectAll()
    .$if(given('other_kind'), (q) => q.where('kind', '=', p.other_kind))
    .$if(given('other_event'), (q) => q.where('event', '=', p.other_event))
    .$if(given('other_user'), (q) => q.where('user_id', '=', p.other_user))
    .$if(given('open'), (q) => q.where(isOpen))
    .$if(given('not_of_administrators'), (q) => q.where(isAboutVisibleKey))
    .$if(given('from_ms'), (q) => q.where('created_at', '>=', p.from_ms))
    .$if(given('to_ms'), (q) => q.where('created_at', '<=', p.to_ms))
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** The position of the last entry that a page has examined, unless it has examined all. */
const lastExamined = query<SourceSpan, { id: number }>((db, p, given) =>
  db
    .selectFrom(examined(db, p, given).as('examined'))
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(sql.lit(EXAMINED_MAX - 1)),
);

const newest = query<object, { id: number | null }>((db) =>
  db.selectFrom('events').select((eb) => eb.fn.max('id').as('id')),
);

const instantOf = query<{ id: number }, { created_at: number }>((db, p) =>
  db.selectFrom('events').select('created_at').where('id', '>=', p.id).orderBy('id').limit(1),
);

const sizes = query<
  { kind?: string | undefined; event?: string | undefined; user_id: number },
  { named: number; user: number }
>((db, p, given) =>
  db.selectNoFrom([
    (given('event') ? lastOrdinal(db, 'event', p.event) : lastOrdinal(db, 'kind', p.kind)).as(
      'named',
    ),
    lastOrdinal(db, 'user_id', p.user_id).as('user'),
  ]),
);

/**
 * The events of a search before a position, newest first. `next` is the position to continue before; null after the
 * last event. A page can be shorter than its limit and still have a next one.
 */
export async function findEvents(
  db: Reader,
  search: EventSearch,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<{ events: EventRow[]; next: number | null }> {
  const span = await spanOf(db, search, before);
  const sources = await sourcesOf(db, search);
  const found = await Promise.all(sources.map((source) => readSource(db, source, span, limit + 1)));
  // Below this position at least one source has not been examined yet.
  const examinedTo = Math.max(0, ...found.map((part) => part.examinedTo ?? 0));
  const events = found
    .flatMap((part) => part.rows)
    .filter(({ id }) => id >= examinedTo)
    .sort((a, b) => b.id - a.id);
  if (events.length > limit) {
    const shown = events.slice(0, limit);
    return { events: shown, next: shown.at(-1)!.id };
  }
  return { events, next: examinedTo > 0 ? examinedTo : null };
}

async function readSource(db: Reader, source: Source, span: Span, limit: number) {
  const rows = await db.all(page, { ...source, ...span, limit });
  if (rows.length === limit) return { rows };
  return { rows, examinedTo: (await db.first(lastExamined, { ...source, ...span }))?.id };
}

/** One source per kind of an object; without an object the smaller of two indexes. */
async function sourcesOf(db: Reader, search: EventSearch): Promise<Source[]> {
  const { kinds, event, object_id, user_id, open } = search;
  if (kinds === undefined) return [{ user_id, open }];
  const byName = event !== undefined && object_id === undefined;
  const sources: Source[] = kinds.map((kind) =>
    byName ? { event } : { kind, object_id, other_event: event },
  );
  const [only] = sources;
  if (user_id === undefined || only === undefined) return sources;
  if (sources.length === 1 && object_id === undefined) {
    const size = (await db.first(sizes, { kind: only.kind, event: only.event, user_id }))!;
    if (size.user < size.named) {
      return [{ user_id, other_kind: only.kind, other_event: only.event }];
    }
  }
  return sources.map((source) => ({ ...source, other_user: user_id }));
}

async function spanOf(db: Reader, search: EventSearch, before?: number): Promise<Span> {
  const { fromMs, toMs, not_of_administrators } = search;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const first = fromMs === undefined ? 1 : await firstSince(db, fromMs - DISORDER_MS);
  const after = toMs === undefined ? end : await firstSince(db, toMs + DISORDER_MS);
  return {
    first,
    before: Math.min(end, after),
    from_ms: fromMs,
    to_ms: toMs,
    not_of_administrators,
  };
}

/** The position of the first event at or after an instant, by bisection. */
export async function firstSince(db: Reader, instantMs: number): Promise<number> {
  let low = 1;
  let high = ((await db.first(newest, {}))!.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await db.first(instantOf, { id: middle });
    if (row!.created_at < instantMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Actor {
  id: number;
  login: string;
  name: string;
}

const actors = byNumber<Actor>((db, isKey) =>
  db.selectFrom('users').select(['id', 'login', 'display_name as name']).where(isKey('id')),
);

const coupons = byNumber<{ id: number; name: string }>((db, isKey) =>
  db.selectFrom('coupons').select(['id', 'code as name']).where(isKey('id')),
);

/** What the data of events calls the users and coupons that it is about. */
const mentioned = {
  user: ['user_id', 'parent_id', 'viewer_id'],
  coupon: ['coupon_id'],
} as const;

/** The names of the users and coupons that these events are about. */
export async function findNames(db: Reader, events: readonly { data: Record<string, unknown> }[]) {
  const idsIn = (fields: readonly string[]) => {
    const ids = events.flatMap(({ data }) => fields.map((field) => data[field]));
    return [...new Set(ids.filter((id) => typeof id === 'number'))];
  };
  const [users, codes] = await Promise.all([
    db.allByKeys(actors, idsIn(mentioned.user)),
    db.allByKeys(coupons, idsIn(mentioned.coupon)),
  ]);
  return [
    ...users.map(({ id, name }) => ({ type: 'user' as const, id, name })),
    ...codes.map(({ id, name }) => ({ type: 'coupon' as const, id, name })),
  ];
}

/** The users who made these changes, by id. */
export async function findActors(
  db: Reader,
  events: readonly EventRow[],
): Promise<Map<number, Actor>> {
  const ids = new Set(events.map(({ user_id }) => user_id).filter((id) => id !== 0));
  const found = await db.allByKeys(actors, [...ids]);
  return new Map(found.map((user) => [user.id, user]));
}
