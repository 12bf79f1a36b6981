import type { Transaction } from '../../db/database.ts';
import type { EventData, EventDefinition } from '../../kernel/event.ts';
import { insertEvent } from './event-store.ts';

/**
 * Tells about a change, inside the transaction that makes it: both are committed, or neither.
 * `data` holds ids and figures, never personal data or secrets.
 */
export async function emit<E extends EventDefinition>(
  tx: Transaction,
  event: E,
  details: { objectId: number; userId: number; info: string; data: EventData<E>; nowMs: number },
): Promise<void> {
  await insertEvent(tx, {
    kind: event.kind,
    event: event.name,
    object_id: details.objectId,
    user_id: details.userId,
    info: details.info,
    data: JSON.stringify(details.data),
    created_at: details.nowMs,
  });
}
