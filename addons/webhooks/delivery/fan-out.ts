import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { listEventsAfter, sequenceSomeEvents } from '../../../src/modules/events/index.ts';
import { subscriberOf } from '../webhook/subscription.ts';
import { lockWebhook } from '../webhook/webhook-rows.ts';
import {
  enqueueAgain,
  enqueueDeliveries,
  fanOutCursor,
  listReplays,
  listSubscribers,
  setReplay,
  type QueuedEvent,
  type Replay,
  type Subscriber,
} from './fan-out-rows.ts';

/** Deliveries inserted in one transaction, which blocks other writers for a few milliseconds. */
const ROWS_MAX = 1_000;
const REPLAYED_AT_ONCE = 1_000;
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * Inserts a delivery for every new event and every active webhook that is subscribed to it. The
 * deliveries and the cursor are committed together, so that a crash neither skips nor duplicates
 * one. Handles a limited number of events; returns whether there may be more.
 */
export async function fanOut(site: Site): Promise<boolean> {
  // Usually there is nothing new, and this check needs no transaction.
  const position = await fanOutCursor.position(site.database.read);
  if (position === undefined) return false;
  await sequenceSomeEvents(site.database, ROWS_MAX);
  const next = { after: position, until: NO_END, limit: 1 };
  if ((await listEventsAfter(site.database.read, next)).length === 0) return false;

  return site.database.transaction((tx) => fanOutSome(tx, site), {
    background: true,
    unsynced: true,
  });
}

async function fanOutSome(tx: Transaction, site: Site): Promise<boolean> {
  // A webhook created between the two reads would miss events; this lock prevents that.
  await tx.lock('webhooks', { shared: true });
  // A second instance waits and goes on behind the first instead of failing at the cursor.
  await tx.lock('webhooks fan-out');
  const from = (await fanOutCursor.position(tx))!;
  const subscribers = await listSubscribers(tx);
  // Without webhooks the cursor stays; the next webhook gets no events from before its creation.
  if (subscribers.length === 0) return false;
  const after = Math.max(from, Math.min(...subscribers.map(({ from_event }) => from_event)));
  const limit = Math.ceil(ROWS_MAX / subscribers.length);
  const events = await listEventsAfter(tx, { after, until: NO_END, limit });
  if (events.length === 0) return false;
  const deliveries = subscribers.flatMap((one) =>
    wantedBy(one, events).map((event) => ({ webhookId: one.id, event })),
  );
  await enqueueDeliveries(tx, deliveries, site.clock());
  await fanOutCursor.move(tx, from, events.at(-1)!.id);
  return events.length === limit;
}

function wantedBy(subscriber: Subscriber, events: readonly QueuedEvent[]): readonly QueuedEvent[] {
  if (subscriber.status !== 'active') return [];
  const isWanted = subscriberOf(subscriber.events);
  return events.filter(({ id, event }) => id > subscriber.from_event && isWanted(event));
}

/** Continues each replay by a limited number of events, because there may be a million. */
export async function continueReplays(site: Site): Promise<void> {
  const { database } = site;
  for (const replay of await listReplays(database.read)) {
    await database.transaction((tx) => replaySome(tx, site, replay), {
      background: true,
      unsynced: true,
    });
  }
}

async function replaySome(tx: Transaction, site: Site, { id }: Replay): Promise<void> {
  await lockWebhook(tx, id);
  // Another instance may have finished it, or it may have been requested again.
  const replay = (await listReplays(tx)).find((one) => one.id === id);
  if (!replay) return;
  const { replay_after: after, replay_until: until } = replay;
  const events = await listEventsAfter(tx, { after, until, limit: REPLAYED_AT_ONCE });
  const isWanted = subscriberOf(replay.events);
  const wanted = events.filter(({ event }) => isWanted(event));
  await enqueueAgain(tx, id, wanted, site.clock());
  const isOver = events.length < REPLAYED_AT_ONCE;
  await setReplay(tx, { id, after: isOver ? null : events.at(-1)!.id, until });
}
