import type { Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { listEventsAfter, sequenceSomeEvents } from '../../../src/modules/events/index.ts';
import type { SeriesStart } from '../tables.ts';
import { listActiveAffiliates, listWaitingOf } from './member-rows.ts';
import { enterSeries, LATE_MS, leaveSeries, type Entrant } from './membership.ts';
import { firstOrders, stepsReached, type OrderEvent } from './order-starts.ts';
import {
  listActiveSeries,
  listSteps,
  lockSeries,
  seriesCursor,
  type SeriesRow,
} from './series-rows.ts';

/** Events read in one transaction, which blocks other writers for a few milliseconds. */
const EVENTS_MAX = 500;
const NO_END = Number.MAX_SAFE_INTEGER;

interface FeedEvent {
  id: number;
  event: string;
  data: string;
  created_at: number;
}

const listFeed = readAll<{ after: number; limit: number }, FeedEvent>((db, p) =>
  db
    .selectFrom('events')
    .select(['id', 'event', 'data', 'created_at'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/**
 * Lets people enter and leave by the events after the cursor. Members and cursor are committed together, so a crash
 * neither skips nor repeats one. Handles a limited number of events; returns whether there may be more.
 */
export async function followEvents(site: Site): Promise<boolean> {
  // Usually there is nothing new, and this check needs no transaction.
  const { read } = site.database;
  const position = await seriesCursor.position(read);
  if (position === undefined) return false;
  await sequenceSomeEvents(site.database, EVENTS_MAX);
  const next = { after: position, until: NO_END, limit: 1 };
  if ((await listEventsAfter(read, next)).length === 0) return false;

  return site.database.transaction(async (tx) => {
    await lockSeries(tx);
    const from = (await seriesCursor.position(tx))!;
    const events = await listFeed(tx, { after: from, limit: EVENTS_MAX });
    const last = events.at(-1)?.id;
    if (last === undefined) return false;
    await enterBy(tx, site, events, await listActiveSeries(tx));
    await leaveBy(tx, events, site.clock());
    await seriesCursor.move(tx, from, last);
    return events.length === EVENTS_MAX;
  });
}

async function enterBy(
  tx: Transaction,
  site: Site,
  events: readonly FeedEvent[],
  active: readonly SeriesRow[],
): Promise<void> {
  const starts = new Set(active.map(({ starts_on }) => starts_on));
  const found: Partial<Record<SeriesStart, Entrant[]>> = {
    ...(starts.has('accepted') && { accepted: entrantsIn(events, 'affiliate.created') }),
    ...(starts.has('first_order') && {
      first_order: await firstOrders(tx, ordersIn(events, ['referral.created'])),
    }),
    ...(starts.has('step_reached') && {
      step_reached: await stepsReached(tx, site, ordersIn(events, ORDER_EVENTS)),
    }),
  };
  const people = Object.values(found).flatMap((some) => some.map(({ userId }) => userId));
  if (people.length === 0) return;
  const rows = await listActiveAffiliates(tx, [...new Set(people)]);
  const joined = new Map(rows.map(({ user_id, registered_at }) => [user_id, registered_at]));
  const isWelcome = ({ userId, atMs }: Entrant, { starts_on, activated_at }: SeriesRow) => {
    const since = joined.get(userId);
    if (since === undefined || atMs < (activated_at ?? 0)) return false;
    // Affiliates who were imported joined long ago.
    return starts_on !== 'accepted' || since > atMs - LATE_MS;
  };
  const ids = active.map(({ id }) => id);
  const steps = Map.groupBy(await listSteps(tx, ids), ({ series_id }) => series_id);
  for (const series of active) {
    const entrants = (found[series.starts_on] ?? []).filter((one) => isWelcome(one, series));
    await enterSeries(tx, series, steps.get(series.id) ?? [], entrants);
  }
}

const ORDER_EVENTS = ['referral.created', 'referral.updated', 'commission.added'];

function entrantsIn(events: readonly FeedEvent[], name: string): Entrant[] {
  return events
    .filter(({ event }) => event === name)
    .map(({ data, created_at: atMs }) => ({ userId: dataOf(data).user_id!, atMs }));
}

function ordersIn(events: readonly FeedEvent[], names: readonly string[]): OrderEvent[] {
  return events
    .filter(({ event }) => names.includes(event))
    .flatMap(({ data, created_at: atMs }) => {
      const { user_id: userId, order_id: orderId } = dataOf(data);
      return userId === null || orderId === null ? [] : [{ userId, orderId, atMs }];
    });
}

/** Events are stored with the data that their definition declares; these have one or both of the ids. */
function dataOf(data: string) {
  return JSON.parse(data) as { user_id: number | null; order_id: number | null };
}

/** An order ends the series that say so, and a suspension all. */
async function leaveBy(
  tx: Transaction,
  events: readonly FeedEvent[],
  nowMs: number,
): Promise<void> {
  const orders = ordersIn(events, ['referral.created']);
  const suspended = entrantsIn(events, 'affiliate.suspended');
  const people = [...orders, ...suspended].map(({ userId }) => userId);
  if (people.length === 0) return;
  const waiting = await listWaitingOf(tx, [...new Set(people)]);
  const latest = (some: readonly Entrant[]) =>
    new Map(some.map(({ userId, atMs }) => [userId, atMs] as const));
  const [lastOrder, lastSuspension] = [latest(orders), latest(suspended)];
  // The order by which a person has entered is not later.
  const byOrder = waiting.filter(
    ({ user_id, ends_on_order, entered_at }) =>
      ends_on_order === 1 && (lastOrder.get(user_id) ?? 0) > entered_at,
  );
  const bySuspension = waiting.filter(
    (member) => lastSuspension.has(member.user_id) && !byOrder.includes(member),
  );
  if (byOrder.length > 0) await leaveSeries(tx, byOrder, 'order', { nowMs });
  if (bySuspension.length > 0) await leaveSeries(tx, bySuspension, 'suspended', { nowMs });
}
