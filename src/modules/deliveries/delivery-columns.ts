import type { Generated, Selectable } from 'kysely';

/** The columns of a receiver that the engine reads and changes: where it sends to, and how that goes. */
export interface ReceiverColumns {
  id: Generated<number>;
  url: string;
  /** `deleted` until its deliveries are removed. */
  status: 'active' | 'disabled' | 'deleted';
  /** Consecutive failed attempts. */
  failures: Generated<number>;
  failing_since: number | null;
  /** Nothing is sent before: the receiver asked to wait (Retry-After), or it is down and probed at intervals. */
  paused_until: Generated<number>;
  last_delivery_at: number | null;
  last_error: Generated<string>;
}

export type Receiver = Selectable<ReceiverColumns>;

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The columns of a delivery that the engine reads and changes. */
export interface DeliveryColumns {
  id: Generated<number>;
  state: DeliveryState;
  /** All attempts, including those before a redelivery was requested. */
  attempts: Generated<number>;
  /** Attempts before the redelivery: the retry schedule starts again. */
  attempts_before: Generated<number>;
  /** When it is attempted next; while it is being sent, the end of the lease; null when it is not. */
  due_at: number | null;
  /** The receiver's last status code; null if it did not respond. */
  code: number | null;
  error: Generated<string>;
  /** When it was queued: by the event, or by a request to redeliver. */
  queued_at: number;
  attempted_at: number | null;
  duration_ms: number | null;
}
