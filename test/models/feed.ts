import { query } from '../../src/db/statements/query.ts';
import type { RowOf } from '../../src/db/tables.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { sequenceEvents } from '../../src/modules/events/sequence-events.ts';

/** An event of the feed, with amounts in cents. */
export interface FeedEntry {
  id: number;
  event: string;
  /** The actor; 0 is the service itself. */
  userId: number;
  atMs: number;
  data: any;
}

const eventsAfter = query<{ after: number }, RowOf<'events'>>((db, p) =>
  db.selectFrom('events').selectAll().where('id', '>', p.after).orderBy('id'),
);

export async function readFeed({ database }: Site, after: number): Promise<FeedEntry[]> {
  await sequenceEvents(database);
  const rows = await database.read.all(eventsAfter, { after });
  return rows.map(({ id, event, user_id, created_at, data }) => {
    const read = JSON.parse(data) as Record<string, unknown>;
    const amount = Math.round(Number(read['amount']) * 100);
    return { id, event, userId: user_id, atMs: created_at, data: { ...read, amount } };
  });
}
