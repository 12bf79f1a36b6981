import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { webhookStatuses, type WebhookRow, type WebhookStatus } from './webhook-store.ts';

const fields = {
  id: Type.Integer({ description: 'The id of the webhook.' }),
  name: Type.String({ description: 'A label for people.' }),
  url: Type.String({ description: 'Where events are sent to.' }),
  events: Type.Array(Type.String(), {
    description: 'The events that are sent to it; `["*"]` for all.',
  }),
  status: StringEnum(webhookStatuses, { description: 'Nothing is sent to a disabled one.' }),
  failures: Type.Integer({ description: 'Attempts that failed since the last one that did not.' }),
  last_delivery: Nullable(LocalTime('When something was sent last, whatever came of it.')),
  last_error: Type.String({ description: 'Why the last attempt failed; empty when it did not.' }),
  date_created: LocalTime('When it was made.'),
};

const example = {
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

export const WebhookSchema = Type.Object(fields, {
  $id: 'Webhook',
  examples: [{ ...example, last_delivery: '2026-02-03T09:30:01' }],
});

export const NewWebhookSchema = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'Verifies what it gets. It is shown this once.' }),
  },
  {
    $id: 'NewWebhook',
    examples: [{ ...example, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazLIPR3dzzA=' }],
  },
);

export function toWebhook(row: WebhookRow, { calendar }: Site): Static<typeof WebhookSchema> {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    status: row.status as WebhookStatus,
    failures: row.failures,
    last_delivery: calendar.toLocal(row.last_delivery_at),
    last_error: row.last_error,
    date_created: calendar.toLocal(row.created_at),
  };
}
