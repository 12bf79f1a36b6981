import type { Site } from '../../../kernel/declare/site.ts';
import { putSomeEventsInOrder } from '../../../modules/events/index.ts';
import {
  enqueueAgain,
  enqueueDeliveries,
  fanOutPosition,
  listEventsAfter,
  listReplays,
  listSubscribers,
  moveFanOut,
  setReplay,
  type NamedEvent,
  type Replay,
  type Subscriber,
} from './fan-out-store.ts';
import { subscriberOf } from '../subscription.ts';
import { lockWebhook } from '../webhook-store.ts';

/** Deliveries written in one transaction: others wait for it, a few milliseconds. */
const ROWS_MAX = 1_000;
const REPLAYED_AT_ONCE = 1_000;
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * Writes a delivery for every event and every webhook that is active and subscribed to it. The
 * deliveries and the cursor behind them are committed together, so that a crash anywhere neither
 * skips nor doubles one. Some at a time; returns whether there may be more.
 */
export async function fanOut(site: Site): Promise<boolean> {
  // Mostly there is nothing new, and looking needs no transaction.
  const position = await fanOutPosition(site.database.read);
  if (position === undefined) return false;
  await putSomeEventsInOrder(site.database, ROWS_MAX);
  const next = { after: position, until: NO_END, limit: 1 };
  if ((await listEventsAfter(site.database.read, next)).length === 0) return false;

  return site.database.transaction(async (tx) => {
    // Who is made after the webhooks are read and before the events are would miss some of them.
    await tx.lock('webhooks', { shared: true });
    const from = (await fanOutPosition(tx))!;
    const subscribers = await listSubscribers(tx);
    // Without webhooks the cursor rests; the next one will not want what happened meanwhile.
    if (subscribers.length === 0) return false;
    const after = Math.max(from, Math.min(...subscribers.map(({ from_event }) => from_event)));
    const limit = Math.ceil(ROWS_MAX / subscribers.length);
    const events = await listEventsAfter(tx, { after, until: NO_END, limit });
    if (events.length === 0) return false;
    const now = site.clock();
    await Promise.all(
      subscribers.map((one) => enqueueDeliveries(tx, one.id, wantedBy(one, events), now)),
    );
    await moveFanOut(tx, from, events.at(-1)!.id);
    return events.length === limit;
  });
}

function wantedBy(subscriber: Subscriber, events: NamedEvent[]): number[] {
  if (subscriber.status !== 'active') return [];
  const isWanted = subscriberOf(subscriber.events);
  return events
    .filter(({ id, event }) => id > subscriber.from_event && isWanted(event))
    .map(({ id }) => id);
}

/** Goes on with what is to be sent again, a piece of each a time: there may be a million events. */
export async function continueReplays(site: Site): Promise<void> {
  for (const replay of await listReplays(site.database.read)) await replaySome(site, replay);
}

async function replaySome(site: Site, { id }: Replay): Promise<void> {
  await site.database.transaction(async (tx) => {
    await lockWebhook(tx, id);
    // It may have been asked for again, or come to its end elsewhere.
    const replay = (await listReplays(tx)).find((one) => one.id === id);
    if (!replay) return;
    const { replay_after: after, replay_until: until } = replay;
    const events = await listEventsAfter(tx, { after, until, limit: REPLAYED_AT_ONCE });
    const isWanted = subscriberOf(replay.events);
    const wanted = events.filter(({ event }) => isWanted(event)).map((event) => event.id);
    await enqueueAgain(tx, id, wanted, site.clock());
    const isOver = events.length < REPLAYED_AT_ONCE;
    await setReplay(tx, id, isOver ? null : events.at(-1)!.id, until);
  });
}
