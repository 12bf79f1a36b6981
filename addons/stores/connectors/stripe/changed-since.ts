import type { Json } from '../../mapping/payload.ts';
import type { ChangedPage, Position, StoreApi } from '../connector.ts';
import { listStripe, numbered } from './client.ts';
import {
  inList,
  INVOICE_PARTS,
  purchaseOf,
  purchaseOfInvoice,
  SESSION_PARTS,
} from './fetch-order.ts';
import { idOf } from './purchase.ts';
import { eventTypes, referenceOf } from './to-order.ts';

/** Stripe keeps events for 30 days; what began earlier is read from the lists. */
const EVENTS_LAST_MS = 29 * 24 * 60 * 60_000;
/** Each entry needs some calls of its own, and a page must not take minutes. */
const PAGE_SIZE = 25;

/** The sources of changed purchases, in the order in which they are read. */
interface Source {
  readonly name: string;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly read: (store: StoreApi, entries: readonly Json[]) => Promise<unknown[]>;
}

const EVENTS: Source = {
  name: 'events',
  url: '/v1/events',
  query: numbered('types', eventTypes),
  // One event for each purchase, which the add-on then fetches.
  read: (_shop, entries) => {
    const events = new Map(entries.map((event) => [referenceOf(event), event]));
    return Promise.resolve([...events.values()]);
  },
};

const SESSIONS: Source = {
  name: 'sessions',
  url: '/v1/checkout/sessions',
  query: { status: 'complete', ...inList(SESSION_PARTS) },
  read: (store, entries) => {
    // Those of subscriptions are among the invoices.
    const single = entries.filter(({ mode }) => mode !== 'subscription');
    return Array.fromAsync(single, (session) => purchaseOf(store, session));
  },
};

const INVOICES: Source = {
  name: 'invoices',
  url: '/v1/invoices',
  query: { status: 'paid', ...inList(INVOICE_PARTS) },
  read: (store, entries) =>
    Array.fromAsync(entries, (invoice) => purchaseOfInvoice(store, invoice)),
};

/**
 * One page of purchases that changed since. Stripe lists the newest first and has no other order; within a page
 * they are turned around. A page is named by its source and the last entry of the page before.
 */
export async function changedSince(store: StoreApi, position: Position): Promise<ChangedPage> {
  const isRecent = store.nowMs - position.sinceMs < EVENTS_LAST_MS;
  const sources = isRecent ? [EVENTS] : [SESSIONS, INVOICES];
  const [name, after] = position.page?.split(' ') ?? [];
  // An import that goes on for long keeps the sources with which it began.
  const source = [EVENTS, SESSIONS, INVOICES].find((each) => each.name === name) ?? sources[0]!;
  const { data, hasMore } = await listStripe(store, source.url, {
    ...source.query,
    'created[gte]': Math.floor(position.sinceMs / 1_000),
    limit: PAGE_SIZE,
    ...(after && { starting_after: after }),
  });
  const last = idOf(data.at(-1));
  const follower = source === SESSIONS ? `${INVOICES.name} ` : null;
  return {
    payloads: await source.read(store, data.toReversed()),
    next: hasMore && last !== undefined ? `${source.name} ${last}` : follower,
  };
}
