import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { deliveryStates } from '../../../src/modules/deliveries/index.ts';
import { messageId } from '../../../src/shared/standard-webhooks.ts';
import type { DeliveryRow } from '../delivery/delivery-rows.ts';

export const deliveryFields = {
  id: Type.Integer({ description: 'The id of the delivery.' }),
  webhook_id: Type.Integer({ description: 'The webhook.' }),
  message_id: Type.String({
    description: 'The `webhook-id` header, which is the same for every attempt.',
  }),
  event_id: Type.Integer({ description: 'The position in the change feed.' }),
  event: Type.String({ description: 'The name of the event.' }),
  state: StringEnum(deliveryStates, {
    description: 'pending: waits for its first or next attempt; failed: will not be retried.',
  }),
  attempts: Type.Integer({ description: 'Number of attempts.' }),
  code: Nullable(Type.Integer({ description: 'The status code of the last response.' })),
  error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
  duration_ms: Nullable(
    Type.Integer({ description: 'Duration of the last attempt in milliseconds.' }),
  ),
  date_queued: LocalTime('When it was queued, or queued again.'),
  date_attempted: Nullable(LocalTime('When the last attempt was made.')),
  date_next: Nullable(LocalTime('Earliest time of the next attempt; null if there is none.')),
};

export const deliveryExample = {
  id: 90,
  webhook_id: 2,
  message_id: 'evt_61',
  event_id: 61,
  event: 'payout.paid',
  state: 'delivered',
  attempts: 1,
  code: 204,
  error: '',
  duration_ms: 84,
  date_queued: '2026-02-03T09:30:00',
  date_attempted: '2026-02-03T09:30:01',
  date_next: null,
};

export const DeliverySchema = Type.Object(deliveryFields, {
  $id: 'WebhookDelivery',
  examples: [deliveryExample],
});

export function toDelivery(row: DeliveryRow, { calendar }: Site): Static<typeof DeliverySchema> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    message_id: messageId(row.event_id),
    event_id: row.event_id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    code: row.code,
    error: row.error,
    duration_ms: row.duration_ms,
    date_queued: calendar.toLocal(row.queued_at),
    date_attempted: calendar.toLocal(row.attempted_at),
    date_next: calendar.toLocal(row.due_at),
  };
}
