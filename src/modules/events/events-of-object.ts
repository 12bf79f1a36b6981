import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { EventRow } from './event-store.ts';
import { sequenceEvents } from './sequence-events.ts';

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
