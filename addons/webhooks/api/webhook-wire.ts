import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { webhookStatuses, type WebhookStatus } from '../tables.ts';
import type { WebhookRow } from '../webhook/webhook-rows.ts';

export const webhookFields = {
  id: Type.Integer({ description: 'The id of the webhook.' }),
  name: Type.String({ description: 'A label of your choice.' }),
  url: Type.String({ description: 'The URL that events are sent to.' }),
  events: Type.Array(Type.String(), {
    description: 'The subscribed events; `["*"]` for all.',
  }),
  status: StringEnum(webhookStatuses, { description: 'A disabled webhook receives nothing.' }),
  failures: Type.Integer({ description: 'Number of consecutive failed attempts.' }),
  last_delivery: Nullable(LocalTime('When the last attempt was made, successful or not.')),
  last_error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
  date_created: LocalTime('When it was created.'),
};

export const webhookExample = {
  id: 2,
  name: 'Books',
  url: 'https://books.example/hook',
  events: ['payout.paid', 'payout.cancelled'],
  status: 'active',
  failures: 0,
  last_delivery: null,
  last_error: '',
  date_created: '2026-01-10T11:12:00',
};

export const WebhookSchema = Type.Object(webhookFields, {
  $id: 'Webhook',
  examples: [{ ...webhookExample, last_delivery: '2026-02-03T09:30:01' }],
});

export const NewWebhookSchema = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({
      description: 'The signing secret, which verifies deliveries. It is shown only once.',
    }),
  },
  {
    $id: 'NewWebhook',
    examples: [{ ...webhookExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazLIPR3dzzA=' }],
  },
);

export function toWebhook(row: WebhookRow, { calendar }: Site): Static<typeof WebhookSchema> {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    // A deleted webhook is never read.
    status: row.status as WebhookStatus,
    failures: row.failures,
    last_delivery: calendar.toLocal(row.last_delivery_at),
    last_error: row.last_error,
    date_created: calendar.toLocal(row.created_at),
  };
}
