import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, LocalTime, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { messageBody, messageId, unsignedHeaders } from '../../../src/shared/standard-webhooks.ts';
import { listAttempts, type AttemptRow } from '../delivery/attempt-rows.ts';
import { findDelivery } from '../delivery/delivery-list.ts';
import type { DeliveryRow } from '../delivery/delivery-rows.ts';
import { requireWebhook } from '../webhook/webhook-rows.ts';
import { deliveryExample, deliveryFields, toDelivery } from './delivery-wire.ts';

const Headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });

const AttemptSchema = Type.Object({
  number: Type.Integer({ description: 'From 1, over all redeliveries.' }),
  date: LocalTime('When it ended.'),
  duration_ms: Type.Integer({ description: 'Its duration in milliseconds.' }),
  code: Nullable(Type.Integer({ description: 'The status code of the response.' })),
  error: Type.String({ description: 'Why it failed; empty if it did not.' }),
  request_headers: Headers('The headers that were sent, without the signature.'),
  answer: Nullable(
    Type.Object(
      {
        headers: Headers('Some of its headers.'),
        body: Type.String({ description: 'The first 1,000 characters.' }),
      },
      { description: 'The response to a failed attempt; null if none came or it succeeded.' },
    ),
  ),
});

export const getDelivery = operation({
  method: 'GET',
  namespace: 'store',
  path: '/webhooks/{id}/deliveries/{delivery_id}',
  summary: 'Get a delivery with its attempts',
  description:
    'Returns the request and the last 20 attempts, newest first. The body is the same for every attempt.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.'), delivery_id: Id('The delivery.') }),
  response: Type.Object(
    {
      ...deliveryFields,
      url: Type.String({ description: 'The URL that it is sent to.' }),
      body: Type.String({ description: 'The body of the request.' }),
      attempt_log: Type.Array(AttemptSchema),
    },
    {
      $id: 'WebhookDeliveryDetails',
      examples: [
        {
          ...deliveryExample,
          url: 'https://books.example/hook',
          body: '{"type":"payout.paid","timestamp":"2026-02-03T08:30:00.000Z","id":61,"data":{"payout_id":7}}',
          attempt_log: [
            {
              number: 1,
              date: '2026-02-03T09:30:01',
              duration_ms: 84,
              code: 204,
              error: '',
              request_headers: {
                'content-type': 'application/json',
                'user-agent': 'Tributary-Webhooks/1',
                'webhook-id': 'evt_61',
                'webhook-timestamp': '1770111000',
              },
              answer: null,
            },
          ],
        },
      ],
    },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site }, { id, delivery_id }) {
    const webhook = await requireWebhook(db, id);
    const delivery = requireFound(await findDelivery(db, { webhook_id: id, id: delivery_id }));
    const attempts = await attemptsOf(db, delivery);
    return {
      ...toDelivery(delivery, site),
      url: webhook.url,
      body: await bodyOf(db, delivery),
      attempt_log: attempts.map((attempt) => toAttempt(attempt, delivery, site)),
    };
  },
});

const eventById = query<{ id: number }, { data: string; created_at: number }>((db, p) =>
  db.selectFrom('events').select(['data', 'created_at']).where('id', '=', p.id),
);

async function bodyOf(db: Reader, { event_id: id, event }: DeliveryRow): Promise<string> {
  // A foreign key keeps the event.
  const { data, created_at } = (await db.first(eventById, { id }))!;
  return messageBody({ type: event, id, occurredAtMs: created_at, data });
}

/** The last attempt has no row of its own if it succeeded. */
async function attemptsOf(db: Reader, delivery: DeliveryRow): Promise<AttemptRow[]> {
  const stored = await listAttempts(db, { delivery_id: delivery.id });
  const { attempts, attempted_at, duration_ms, code, error } = delivery;
  if (attempted_at === null || stored[0]?.number === attempts) return stored;
  const last = { delivery_id: delivery.id, number: attempts, attempted_at, code, error };
  return [{ ...last, duration_ms: duration_ms ?? 0, answer_headers: '', answer: '' }, ...stored];
}

function toAttempt(
  row: AttemptRow,
  delivery: DeliveryRow,
  { calendar }: Site,
): Static<typeof AttemptSchema> {
  const nowMs = row.attempted_at - row.duration_ms;
  return {
    number: row.number,
    date: calendar.toLocal(row.attempted_at),
    duration_ms: row.duration_ms,
    code: row.code,
    error: row.error,
    request_headers: unsignedHeaders({ id: messageId(delivery.event_id), nowMs }),
    answer:
      row.answer_headers === ''
        ? null
        : {
            headers: JSON.parse(row.answer_headers) as Record<string, string>,
            body: row.answer,
          },
  };
}
