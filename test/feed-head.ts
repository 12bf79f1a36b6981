import { query } from '../src/db/query.ts';
import type { Site } from '../src/kernel/site.ts';

const newest = query<object, { id: number | null }>((db) =>
  db.selectFrom('events').select((eb) => eb.fn.max('id').as('id')),
);

/** The id of the newest event, read past the API. */
export async function feedHead(site: Site): Promise<number> {
  return (await site.database.read.first(newest, {}))?.id ?? 0;
}
