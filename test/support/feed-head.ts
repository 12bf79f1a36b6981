import { query } from '../../src/db/statements/query.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { countEvents } from '../../src/modules/events/event-rows.ts';

/** These events are inserted some seconds after a request was refused, and are not changes. */
const ABOUT_REFUSALS = ['access.refused', 'session.failed'];

const newestChange = query<object, { id: number | null }>((db) =>
  db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('event', 'not in', ABOUT_REFUSALS),
);

/** The id of the newest event about a change, read from the database. */
export async function feedHead(site: Site): Promise<number> {
  // On PostgreSQL, counting moves new events into the table first.
  await countEvents(site.database, {});
  return (await site.database.read.first(newestChange, {}))?.id ?? 0;
}
