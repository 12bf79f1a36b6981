import type { DeliveryColumns, ReceiverColumns } from '../../modules/deliveries/index.ts';

/** The names that the engine of deliveries needs. */
export const webhookTables = {
  receivers: 'webhooks',
  deliveries: 'webhook_deliveries',
  receiverId: 'webhook_id',
  position: 'event_id',
} as const;

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Receivers of events, and the state of their deliveries. */
export interface WebhooksTable extends ReceiverColumns {
  name: string;
  /** The signing secret, encrypted; empty once it is deleted. */
  secret: string;
  /** JSON array of event names, or of `*` alone. */
  events: string;
  /** The newest event at creation: later events are delivered. */
  from_event: number;
  /** While events are replayed: the events after `replay_after`, up to and including `replay_until`. */
  replay_after: number | null;
  replay_until: number | null;
  created_at: number;
}

/** One event to deliver to one webhook. */
export interface WebhookDeliveriesTable extends DeliveryColumns {
  webhook_id: number;
  event_id: number;
  event: string;
}

/**
 * One attempt of a delivery with the receiver's answer. A delivery that succeeds at the first attempt has none: its own row says
 * everything, and most deliveries need no second row.
 */
export interface WebhookAttemptsTable {
  delivery_id: number;
  /** From 1, over all redeliveries. */
  number: number;
  /** When the attempt ended. */
  attempted_at: number;
  duration_ms: number;
  code: number | null;
  error: string;
  /** JSON object; empty if there was no answer, or it was not stored. */
  answer_headers: string;
  /** The beginning of the body. */
  answer: string;
}

/** The attempts of one webhook on one day of the site's calendar. */
export interface WebhookDaysTable {
  webhook_id: number;
  day: string;
  delivered: number;
  failed: number;
  /** The last one of the day; empty if no attempt failed. */
  last_error: string;
  last_error_at: number | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_deliveries: WebhookDeliveriesTable;
    webhook_attempts: WebhookAttemptsTable;
    webhook_days: WebhookDaysTable;
  }
}
