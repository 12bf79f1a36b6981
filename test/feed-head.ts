import { query } from '../src/db/statements/query.ts';
import type { Site } from '../src/kernel/declare/site.ts';
import { countEvents } from '../src/modules/events/event-store.ts';

/** Refused requests change nothing; that they were refused is written some seconds later. */
const ABOUT_REFUSALS = ['access.refused', 'session.failed'];

const newestChange = query<object, { id: number | null }>((db) =>
  db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('event', 'not in', ABOUT_REFUSALS),
);

/** The id of the newest event about a change, read past the API. */
export async function feedHead(site: Site): Promise<number> {
  // Puts events in order first, where they are not.
  await countEvents(site.database, {});
  return (await site.database.read.first(newestChange, {}))?.id ?? 0;
}
