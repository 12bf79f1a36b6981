import type { Site } from '../src/kernel/site.ts';
import { countEvents } from '../src/modules/events/event-store.ts';

/** The id of the newest event, read past the API. */
export async function feedHead(site: Site): Promise<number> {
  return (await countEvents(site.database, {})).head;
}
