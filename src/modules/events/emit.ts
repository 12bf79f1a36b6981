import type { Transaction } from '../../db/database.ts';
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

/** Events of one transaction, gathered to be written together. */
export class GatheredEvents {
  readonly #events: NewEvent[] = [];

  emit<E extends EventDefinition>(event: E, details: Details<E>): void {
    this.#events.push({
      kind: event.kind,
      event: event.name,
      object_id: details.objectId,
      user_id: details.userId,
      info: details.info,
      data: JSON.stringify(details.data),
      created_at: details.nowMs,
    });
  }

  /** Once, at the end. */
  write(tx: Transaction): Promise<void> {
    return insertEvents(tx, this.#events);
  }
}

/** Tells about a change, inside the transaction that makes it: both are committed, or neither. */
export async function emit<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  details: Details<E>,
): Promise<void> {
  const events = new GatheredEvents();
  events.emit(event, details);
  await events.write(tx);
}
