/** The columns of a receiver that the engine reads and changes: where it sends to, and how that goes. */
export interface Receiver {
  id: number;
  url: string;
  /** `deleted` until its deliveries are removed. */
  status: 'active' | 'disabled' | 'deleted';
  /** Consecutive failed attempts. */
  failures: number;
  failing_since: number | null;
  /** Nothing is sent before: the receiver asked to wait (Retry-After), or it is down and probed at intervals. */
  paused_until: number;
  last_delivery_at: number | null;
  last_error: string;
}
