import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { rowQuery } from '../../db/statements/row-query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import type { EventData, EventDefinition } from '../../kernel/declare/event.ts';
import { lastOrdinal, type EventRow } from './event-rows.ts';

type NewEvent = Omit<EventRow, 'id'>;

interface Details<E extends EventDefinition> {
  objectId: number;
  userId: number;
  info: string;
  /** Ids and figures, never personal data or secrets. */
  data: EventData<E>;
  nowMs: number;
}

class PendingEvents implements PendingWrites {
  readonly list: NewEvent[] = [];

  flush(tx: Transaction): Promise<void> {
    return insertEvents(tx, this.list);
  }
}

const pendingEvents = defineWrites({ name: 'events', create: () => new PendingEvents() });

/**
 * Emits an event with the transaction that makes the change: both are committed, or neither. Its id is given
 * when the transaction is flushed.
 */
export function emit<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  details: Details<E>,
): void {
  tx.pending(pendingEvents).list.push({
    kind: event.kind,
    event: event.name,
    object_id: details.objectId,
    user_id: details.userId,
    info: details.info,
    data: JSON.stringify(details.data),
    created_at: details.nowMs,
  });
}

const insertIncoming = insertRows<NewEvent>('incoming_events');

interface NumberedEvent extends NewEvent {
  kind_ordinal: number;
  event_ordinal: number;
  user_ordinal: number;
}

const insertNumbered = insertRows<NumberedEvent>('events');

/** Computes the ordinals in the statement. */
const insert = rowQuery<NewEvent>((db, row) =>
  db.insertInto('events').values({
    ...row,
    kind_ordinal: sql<number>`${lastOrdinal(db, 'kind', row.kind)} + 1`,
    event_ordinal: sql<number>`${lastOrdinal(db, 'event', row.event)} + 1`,
    user_ordinal: sql<number>`${lastOrdinal(db, 'user_id', row.user_id)} + 1`,
  }),
);

const lastOrdinals = query<
  Pick<NewEvent, 'kind' | 'event' | 'user_id'>,
  Record<'kind' | 'event' | 'user', number>
>((db, p) =>
  db.selectNoFrom([
    lastOrdinal(db, 'kind', p.kind).as('kind'),
    lastOrdinal(db, 'event', p.event).as('event'),
    lastOrdinal(db, 'user_id', p.user_id).as('user'),
  ]),
);

/** From this many events on it is quicker to read the last ordinals once and to count on from them. */
const COUNTS_FROM = 8;

/**
 * Inserts the events of a transaction in the order in which they were emitted. Reading the last ordinals costs as
 * much as the rest of an event, so a batch of orders reads them once. SQLite has one writer: no other
 * transaction inserts events at the same time.
 */
async function insertEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (!tx.dialect.commitsInIdOrder) return tx.runMany(insertIncoming, events);
  if (events.length < COUNTS_FROM) {
    for (const event of events) await tx.run(insert, event);
    return;
  }
  const ordinals: Ordinals = new Map();
  const numbered: NumberedEvent[] = [];
  for (const event of events) {
    if (!isKnown(event, ordinals)) await readOrdinals(tx, event, ordinals);
    numbered.push(withOrdinals(event, ordinals));
  }
  await tx.runMany(insertNumbered, numbered);
}

const kindOf = (event: NewEvent) => `k ${event.kind}`;
const nameOf = (event: NewEvent) => `e ${event.event}`;
const userOf = (event: NewEvent) => `u ${event.user_id}`;

type Ordinals = Map<string, number>;

function isKnown(event: NewEvent, ordinals: Ordinals): boolean {
  return ordinals.has(kindOf(event)) && ordinals.has(nameOf(event)) && ordinals.has(userOf(event));
}

/** Ordinals that are known already may be ahead of the rows inserted so far. */
async function readOrdinals(tx: Transaction, event: NewEvent, ordinals: Ordinals): Promise<void> {
  const last = (await tx.first(lastOrdinals, event))!;
  const add = (of: string, ordinal: number) => ordinals.has(of) || ordinals.set(of, ordinal);
  add(kindOf(event), last.kind);
  add(nameOf(event), last.event);
  add(userOf(event), last.user);
}

function withOrdinals(event: NewEvent, ordinals: Ordinals): NumberedEvent {
  const next = (of: string) => {
    const ordinal = ordinals.get(of)! + 1;
    ordinals.set(of, ordinal);
    return ordinal;
  };
  return {
    kind: event.kind,
    event: event.event,
    object_id: event.object_id,
    user_id: event.user_id,
    info: event.info,
    data: event.data,
    created_at: event.created_at,
    kind_ordinal: next(kindOf(event)),
    event_ordinal: next(nameOf(event)),
    user_ordinal: next(userOf(event)),
  };
}
