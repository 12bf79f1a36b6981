import type { Database } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Extension } from '../../kernel/declare/extension.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { countEvents, pollEvents } from './event-rows.ts';
import { toFeedEvent } from './event-wire.ts';

const findPosition = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);
const savePosition = query<{ name: string; position: number }>((db, p) =>
  db
    .insertInto('cursors')
    .values({ name: p.name, position: p.position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position: p.position })),
);

const AT_ONCE_MAX = 100;

/**
 * Passes every event to the listeners of the site's extensions, in order. Each has its own cursor, which
 * moves only after the listener has returned: a crash repeats an event and never skips one.
 */
export const notifyListeners: Job = {
  name: 'events.tell-listeners',
  everyMs: 250,
  runsOn: 'one',
  async run(site) {
    for (const extension of site.extensions.listeners()) await notify(site, extension);
  },
};

async function notify(site: Site, extension: Extension): Promise<void> {
  const name = `listener:${extension.name}`;
  const position = await positionOf(site.database, name);
  const { events } = await pollEvents(site.database, { after: position, limit: AT_ONCE_MAX });
  for (const row of events) {
    try {
      await extension.onEvent!(toFeedEvent(row, site.calendar));
    } catch (error) {
      // The next run retries it. Later events wait, so that the listener receives them in order.
      site.log.error({ err: error, extension: extension.name, event: row.id }, 'onEvent failed');
      return;
    }
    await site.database.transaction((tx) => tx.run(savePosition, { name, position: row.id }));
  }
}

/** A new listener starts with the events after this moment. */
async function positionOf(database: Database, name: string): Promise<number> {
  const known = await database.read.first(findPosition, { name });
  if (known) return known.position;
  const { head } = await countEvents(database, {});
  await database.transaction((tx) => tx.run(savePosition, { name, position: head }));
  return head;
}
