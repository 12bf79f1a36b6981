import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { webhookStatuses, type WebhookRow, type WebhookStatus } from './webhook-store.ts';

const fields = {
  id: Type.Integer(),
  name: Type.String({ description: 'A label for people.' }),
  url: Type.String({ description: 'Where events are sent to.' }),
  events: Type.Array(Type.String(), {
    description: 'The events it is told of; `["*"]` for all.',
  }),
  status: StringEnum(webhookStatuses),
  failures: Type.Integer({ description: 'Attempts that failed since the last one that did not.' }),
  last_delivery: Nullable(LocalTime('When something was sent last, whatever came of it.')),
  last_error: Type.String({ description: 'Why the last attempt failed; empty when it did not.' }),
  date_created: LocalTime('When it was made.'),
};

export const WebhookSchema = Type.Object(fields, { $id: 'Webhook' });

export const NewWebhookSchema = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'Verifies what it gets. It is shown this once.' }),
  },
  { $id: 'NewWebhook' },
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
