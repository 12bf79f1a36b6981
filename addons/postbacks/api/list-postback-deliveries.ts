import Type, { type Static } from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import {
  LocalTime,
  Nullable,
  pageParameters,
  StringEnum,
} from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { deliveryStates } from '../../../src/modules/deliveries/index.ts';
import { deliveryList, type DeliveryRow } from '../delivery/delivery-rows.ts';
import { requirePostback } from '../postback/postback-rows.ts';
import { orderChanges } from '../tables.ts';
import { postbackParams } from './postback-wire.ts';

const PostbackDeliverySchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the delivery.' }),
    order_id: Type.Integer({ description: 'The order.' }),
    event: StringEnum(orderChanges, { description: 'What happened to it.' }),
    state: StringEnum(deliveryStates, {
      description:
        'pending: waits for its next attempt, or for an earlier one of its order; failed: will not be retried.',
    }),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    code: Nullable(Type.Integer({ description: 'The status code of the last response.' })),
    error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
    duration_ms: Nullable(
      Type.Integer({ description: 'Duration of the last attempt in milliseconds.' }),
    ),
    date: LocalTime('When the order changed.'),
    date_attempted: Nullable(LocalTime('When the last attempt was made.')),
    date_next: Nullable(LocalTime('Earliest time of the next attempt; null if none is planned.')),
  },
  {
    $id: 'PostbackDelivery',
    examples: [
      {
        id: 41,
        order_id: 1042,
        event: 'granted',
        state: 'delivered',
        attempts: 1,
        code: 200,
        error: '',
        duration_ms: 84,
        date: '2026-02-03T09:30:00',
        date_attempted: '2026-02-03T09:30:01',
        date_next: null,
      },
    ],
  },
);

export const listPostbackDeliveries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/{postback_id}/deliveries',
  summary: 'List what a postback has sent and will send',
  description: 'Newest first. Removed after `postbacks.keep_days`.',
  access: 'owner',
  scope: 'read',
  params: postbackParams,
  query: Type.Object(pageParameters),
  response: Type.Array(PostbackDeliverySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id, postback_id, ...page }) {
    await requireOwnAffiliate(db, caller, id);
    await requirePostback(db, id, postback_id);
    return listed(db, deliveryList, { postback_id }, page, (row) => toDelivery(row, site));
  },
});

function toDelivery(row: DeliveryRow, { calendar }: Site): Static<typeof PostbackDeliverySchema> {
  return {
    id: row.id,
    order_id: row.order_id,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    code: row.code,
    error: row.error,
    duration_ms: row.duration_ms,
    date: calendar.toLocal(row.occurred_at),
    date_attempted: calendar.toLocal(row.attempted_at),
    date_next: calendar.toLocal(row.due_at),
  };
}
