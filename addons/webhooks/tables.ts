import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';
import { deliveryColumns, receiverColumns } from '../../src/modules/deliveries/index.ts';

/** The names that the engine of deliveries needs. */
export const webhookTables = {
  receivers: 'webhooks',
  deliveries: 'webhook_deliveries',
  receiverId: 'webhook_id',
  position: 'event_id',
} as const;

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const tables = {
  /** Receivers of events, and the state of their deliveries. */
  webhooks: table({
    id: id(),
    name: text(),
    url: text(),
    /** The signing secret, encrypted; empty once it is deleted. */
    secret: text(),
    /** JSON array of event names, or of `*` alone. */
    events: text(),
    ...receiverColumns,
    /** The newest event at creation: later events are delivered. */
    from_event: integer(),
    /** While events are replayed: the events after `replay_after`, up to and including `replay_until`. */
    replay_after: integer().orNull(),
    replay_until: integer().orNull(),
    created_at: integer(),
  }),
  /** One event to deliver to one webhook. */
  webhook_deliveries: table({
    id: id(),
    webhook_id: integer().references('webhooks.id'),
    event_id: integer().references('events.id'),
    event: text(),
    ...deliveryColumns,
  })
    // Guarantees one delivery per event and webhook, even if a fan-out is repeated after a crash.
    .index('once', ['webhook_id', 'event_id'], { unique: true })
    .index('due', ['webhook_id', 'due_at', 'event_id'], { where: '"due_at" is not null' })
    .index('by_age', ['queued_at'])
    // Few deliveries fail for good, so this index costs nothing for the others.
    .index('failed', ['webhook_id', 'event_id'], { where: "state = 'failed'" }),
  /**
   * One attempt of a delivery with the receiver's answer. A delivery that succeeds at the first attempt has none: its own row says
   * everything, and most deliveries need no second row.
   */
  webhook_attempts: table({
    delivery_id: integer().references('webhook_deliveries.id', 'cascade'),
    /** From 1, over all redeliveries. */
    number: integer(),
    /** When the attempt ended. */
    attempted_at: integer(),
    duration_ms: integer(),
    code: integer().orNull(),
    error: text(),
    /** JSON object; empty if there was no answer, or it was not stored. */
    answer_headers: text(),
    /** The beginning of the body. */
    answer: text(),
  }).key('delivery_id', 'number'),
  /** The attempts of one webhook on one day of the site's calendar. */
  webhook_days: table({
    webhook_id: integer().references('webhooks.id'),
    day: text(),
    delivered: integer(),
    failed: integer(),
    /** The last one of the day; empty if no attempt failed. */
    last_error: text(),
    last_error_at: integer().orNull(),
  }).key('webhook_id', 'day'),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
