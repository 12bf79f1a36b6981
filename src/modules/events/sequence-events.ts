import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { query } from '../../db/statements/query.ts';
import type { Job } from '../../kernel/declare/job.ts';

// Where transactions do not commit in the order in which they write, a number given inside one can
// become visible after a higher one, and a reader whose cursor has passed it never sees it. There an
// event is written to `incoming_events` first. One transaction at a time moves what is committed by
// then into the feed and gives the numbers: they rise as events become visible, without gaps.

/** In one transaction: whoever reads the feed meanwhile waits for it. */
const MOVED_AT_ONCE = 5_000;

/** Goes on from the last ordinal that the feed has of its kind, name or user: the first of each looks. */
function ordinal(column: 'kind' | 'event' | 'user_id', name: string): RawBuilder<unknown> {
  const [of, found, place] = [sql.ref(column), sql.ref(`known.${name}`), sql.ref(`${name}_place`)];
  return sql`max(case when ${place} = 1 then coalesce((select ${found} from events as known
    where known.${of} = placed.${of} order by known.id desc limit 1), 0) end)
    over (partition by ${of}) + ${place} as ${sql.ref(name)}`;
}

/**
 * Everything that is looked up in the feed is looked up before anything is added to it, which the last
 * sorting sees to: each look from its end would otherwise go over all that this very statement has added
 * (measured: 2,000 events in 7.6 s instead of 0.3).
 *
 * Nothing is joined. The table is mostly empty, and a plan made then would compare each row of a crowd
 * with each (measured: 5,000 events of as many users in 11.8 s instead of 0.2).
 */
const move = query<{ limit: number }>((db, p) => {
  const place = (column: string, name: string) =>
    sql`row_number() over (partition by ${sql.ref(column)} order by id) as ${sql.ref(`${name}_place`)}`;
  const statement = sql`
    with moved as materialized (
      delete from incoming_events where id <= (select max(id) from
        (select id from incoming_events order by id limit ${p.limit}) as first) returning *),
    placed as materialized (
      select *, row_number() over (order by id) as place, ${place('kind', 'kind_ordinal')},
        ${place('event', 'event_ordinal')}, ${place('user_id', 'user_ordinal')} from moved),
    numbered as materialized (
      select (select coalesce(max(id), 0) from events) + place as position,
        kind, event, object_id, user_id, info, data, created_at,
        ${ordinal('kind', 'kind_ordinal')}, ${ordinal('event', 'event_ordinal')},
        ${ordinal('user_id', 'user_ordinal')} from placed)
    insert into events (id, kind, event, object_id, user_id, info, data, created_at,
      kind_ordinal, event_ordinal, user_ordinal)
    select * from numbered order by position`;
  return { compile: () => statement.compile(db) };
});

const findWaiting = query<object, { waiting: number }>((db, _p, _given, dialect) =>
  db.selectNoFrom(waiting(dialect).as('waiting')),
);

/** 1 where committed events are not in the feed yet. */
export function waiting({ commitsInIdOrder }: Dialect): RawBuilder<number> {
  if (commitsInIdOrder) return sql<number>`0`;
  return sql<number>`case when exists (select 1 from incoming_events) then 1 else 0 end`;
}

/** What is committed by now is in the feed after this. */
export async function putEventsInOrder(database: Database): Promise<void> {
  if (await isAnyWaiting(database)) await orderEvents(database);
}

/** The first of them, for those who go on with a few before the others are in the feed. */
export async function putSomeEventsInOrder(database: Database, limit: number): Promise<void> {
  if (await isAnyWaiting(database)) await orderSome(database, limit);
}

async function isAnyWaiting({ dialect, read }: Database): Promise<boolean> {
  return !dialect.commitsInIdOrder && (await read.first(findWaiting, {}))?.waiting === 1;
}

async function orderEvents(database: Database): Promise<void> {
  while ((await orderSome(database, MOVED_AT_ONCE)) === MOVED_AT_ONCE);
}

/** How many there were. */
function orderSome(database: Database, limit: number): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.lock('events in order');
    return tx.run(move, { limit });
  });
}

/**
 * Reads from the feed; again, when events were waiting to get into it. So whoever has just written
 * one finds it, and nobody has to be quick about the rest.
 */
export async function inOrder<T>(
  database: Database,
  read: () => Promise<T>,
  isWaiting: (found: T) => boolean,
): Promise<T> {
  const found = await read();
  if (!isWaiting(found)) return found;
  await orderEvents(database);
  return read();
}

/** Nobody may read the feed for days: it is put in order all the same, a little at a time. */
export const orderWaiting: Job = {
  name: 'events.order',
  everyMs: 1_000,
  runsOn: 'one',
  run: ({ database }) => putEventsInOrder(database),
};
