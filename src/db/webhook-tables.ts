import type { Generated } from 'kysely';

/** Who is told of events, and how that has been going. */
export interface WebhooksTable {
  id: Generated<number>;
  name: string;
  url: string;
  /** The signing secret, encrypted; empty once it is deleted. */
  secret: string;
  /** A list of event names, or of `*` alone. */
  events: string;
  /** `deleted` until its deliveries are gone too. */
  status: string;
  /** Attempts that failed since the last one that did not. */
  failures: Generated<number>;
  failing_since: number | null;
  /** Nothing is sent before: its receiver asked for it, or it is down and probed now and then. */
  paused_until: Generated<number>;
  last_delivery_at: number | null;
  last_error: Generated<string>;
  /** The newest event when it was made: it gets those after it. */
  from_event: number;
  /** While events are sent again: those after this one, up to and with the other. */
  replay_after: number | null;
  replay_until: number | null;
  created_at: number;
}

/** One event on its way to one webhook. */
export interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: number;
  event_id: number;
  event: string;
  state: string;
  /** Ever made, also before it was asked for again. */
  attempts: Generated<number>;
  /** How many of them were made before it was asked for again: the schedule begins anew. */
  attempts_before: Generated<number>;
  /** When it is tried; while it is being sent, the end of the lease; null when nobody tries. */
  due_at: number | null;
  /** What the receiver answered last; null where it did not. */
  code: number | null;
  error: Generated<string>;
  /** When it was asked for: by the event, or again by a person. */
  queued_at: number;
  attempted_at: number | null;
  duration_ms: number | null;
}
