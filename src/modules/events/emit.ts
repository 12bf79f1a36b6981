import type { Transaction } from '../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import type { EventData, EventDefinition } from '../../kernel/declare/event.ts';
import { insertEvents, type NewEvent } from './insert-events.ts';

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

const events = defineWrites({ name: 'events', create: () => new PendingEvents() });

/**
 * Emits an event with the transaction that makes the change: both are committed, or neither. Its id is given
 * when the transaction is flushed.
 */
export function emit<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  details: Details<E>,
): void {
  tx.pending(events).list.push({
    kind: event.kind,
    event: event.name,
    object_id: details.objectId,
    user_id: details.userId,
    info: details.info,
    data: JSON.stringify(details.data),
    created_at: details.nowMs,
  });
}
