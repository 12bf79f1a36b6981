import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { listEventsAfter, sequenceSomeEvents } from '../../../src/modules/events/index.ts';
import type { OrderValues } from '../postback/order-values.ts';
import { findPostback, lockPostback, type PostbackRow } from '../postback/postback-rows.ts';
import type { OrderChangeName } from '../tables.ts';
import { addDeliveries } from './delivery-rows.ts';
import {
  fanOutCursor,
  listActiveOf,
  listBehind,
  listFeed,
  positionIfWanted,
  setReplay,
} from './fan-out-rows.ts';
import { orderChangesIn, type FeedEvent, type OrderChange } from './order-changes.ts';
import { sourcesOf } from './order-sources.ts';

/** Events read in one transaction, which blocks other writers for a few milliseconds. */
const EVENTS_MAX = 500;
/**
 * Events before these, in which the payable commission of the first ones is found: both are emitted by one
 * transaction, but on PostgreSQL events of others can be between them.
 */
const LOOK_BACK = 100;
const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * Adds a delivery for each change of an order, by the events after the cursor, to the active postbacks of its
 * affiliate. Deliveries and cursor are committed together, so a crash neither skips nor repeats one. Handles a
 * limited number of events; returns whether there may be more.
 */
export async function fanOut(site: Site): Promise<boolean> {
  // Usually there is nothing new, and this check needs no transaction.
  const { read } = site.database;
  const found = await positionIfWanted(read);
  if (!found) return false;
  await sequenceSomeEvents(site.database, EVENTS_MAX);
  const next = { after: found.position, until: NO_END, limit: 1 };
  if ((await listEventsAfter(read, next)).length === 0) return false;

  return site.database.transaction((tx) => fanOutSome(tx, site), {
    background: true,
    unsynced: true,
  });
}

async function fanOutSome(tx: Transaction, site: Site): Promise<boolean> {
  await lockFanOut(tx);
  const from = (await fanOutCursor.position(tx))!;
  const { changes, last, isMore } = await readChanges(tx, from, NO_END);
  if (last === from) return false;
  const postbacks = await listActiveOf(
    tx,
    changes.map(({ userId }) => userId),
  );
  await addChanges(tx, site, postbacks, changes);
  await fanOutCursor.move(tx, from, last);
  return isMore;
}

/** Continues each postback that is behind by a limited number of events, because there may be a million. */
export async function continueReplays(site: Site): Promise<void> {
  const { database } = site;
  for (const { id } of await listBehind(database.read)) {
    await database.transaction((tx) => replaySome(tx, site, id), {
      background: true,
      unsynced: true,
    });
  }
}

async function replaySome(tx: Transaction, site: Site, id: number): Promise<void> {
  // The cursor rests in the meantime, so that the postback joins the others without a gap.
  await lockFanOut(tx);
  await lockPostback(tx, id);
  const postback = await findPostback(tx, id);
  const after = postback?.replay_after;
  if (postback?.status !== 'active' || typeof after !== 'number') return;
  const until = (await fanOutCursor.position(tx)) ?? after;
  const { changes, last, isMore } = await readChanges(tx, after, until);
  const own = changes.filter(({ userId }) => userId === postback.user_id);
  await addChanges(tx, site, [{ ...postback, from_event: 0 }], own);
  await setReplay(tx, { id, after: isMore ? last : null });
}

/** A postback that becomes active waits, and a second instance goes on behind the first. */
async function lockFanOut(tx: Transaction): Promise<void> {
  await tx.lock('postbacks', { shared: true });
  await tx.lock('postbacks fan-out');
}

async function readChanges(tx: Transaction, after: number, until: number) {
  const feed = { after: after - LOOK_BACK, until, limit: EVENTS_MAX + LOOK_BACK };
  const events: FeedEvent[] = await listFeed(tx, feed);
  const last = Math.max(after, events.at(-1)?.id ?? 0);
  const isMore = events.length === feed.limit;
  return { changes: orderChangesIn(events, after), last, isMore };
}

async function addChanges(
  tx: Transaction,
  site: Site,
  postbacks: readonly PostbackRow[],
  changes: readonly OrderChange[],
): Promise<void> {
  const byUser = Map.groupBy(changes, ({ userId }) => userId);
  const wanted = postbacks
    .map((postback) => ({
      postback,
      changes: (byUser.get(postback.user_id) ?? []).filter(wantedBy(postback)),
    }))
    .filter((one) => one.changes.length > 0);
  if (wanted.length === 0) return;
  const sourceOf = await sourcesOf(
    tx,
    wanted.flatMap((one) => one.changes),
  );
  const toRow = (change: OrderChange) => {
    const { orderId: order, amount, commission, currency } = change;
    const values: OrderValues = { ...sourceOf(change), order, amount, commission, currency };
    return {
      order_id: order,
      event_id: change.eventId,
      event: change.name,
      data: JSON.stringify(values),
      occurred_at: change.occurredAtMs,
    };
  };
  // In the order of their ids, as the records of attempts lock them.
  for (const { postback, changes: own } of wanted) {
    await lockPostback(tx, postback.id);
    await addDeliveries(tx, postback.id, own.map(toRow), site.clock());
  }
}

function wantedBy({ events, from_event }: PostbackRow): (change: OrderChange) => boolean {
  const names = new Set(JSON.parse(events) as OrderChangeName[]);
  return ({ eventId, name }) => eventId > from_event && names.has(name);
}
