import type { Generated, Selectable } from 'kysely';
import { integer, text, type ColumnsOf } from '../../db/define-table.ts';

/** The columns of a receiver that say how sending to it goes. The engine changes them. */
export const receiverColumns = {
  /** `deleted` until its deliveries are removed. */
  status: text<'active' | 'disabled' | 'deleted'>(),
  /** Consecutive failed attempts. */
  failures: integer().default(0),
  failing_since: integer().orNull(),
  /** Nothing is sent before: the receiver asked to wait (Retry-After), or it is down and probed at intervals. */
  paused_until: integer().default(0),
  last_delivery_at: integer().orNull(),
  last_error: text().default(''),
};
export type ReceiverColumns = { id: Generated<number>; url: string } & ColumnsOf<
  typeof receiverColumns
>;

export type Receiver = Selectable<ReceiverColumns>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The columns of a delivery that the engine reads and changes. */
export const deliveryColumns = {
  state: text<DeliveryState>(),
  /** All attempts, including those before a redelivery was requested. */
  attempts: integer().default(0),
  /** Attempts before the redelivery: the retry schedule starts again. */
  attempts_before: integer().default(0),
  /** When it is attempted next; while it is being sent, the end of the lease; null when it is not. */
  due_at: integer().orNull(),
  /** The receiver's last status code; null if it did not respond. */
  code: integer().orNull(),
  error: text().default(''),
  /** When it was queued: by the event, or by a request to redeliver. */
  queued_at: integer(),
  attempted_at: integer().orNull(),
  duration_ms: integer().orNull(),
};
export type DeliveryColumns = { id: Generated<number> } & ColumnsOf<typeof deliveryColumns>;
