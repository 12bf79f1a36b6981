import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { deliveryStates } from '../tables.ts';
import type { DeliveryRow } from './delivery-rows.ts';

export const StoreDeliverySchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the delivery.' }),
    topic: Type.String({ description: 'The topic that the store names.' }),
    external_id: Nullable(Type.String({ description: "The store's id of the order." })),
    order_id: Nullable(Type.Integer({ description: 'Our number of the order.' })),
    state: StringEnum(deliveryStates, {
      description:
        '`received`: waits; `done`: stored; `ignored`: not about an order that counts; `failed`: see `reason`.',
    }),
    reason: Type.String({ description: 'Why it failed, was ignored or waits; a sentence.' }),
    attempts: Type.Integer({ description: 'How often it was processed.' }),
    date: LocalTime('When it arrived.'),
  },
  {
    $id: 'StoreDelivery',
    examples: [
      {
        id: 512,
        topic: 'order.updated',
        external_id: '1042',
        order_id: 1042,
        state: 'done',
        reason: '',
        attempts: 1,
        date: '2026-02-24T10:02:11',
      },
    ],
  },
);

export function toDelivery(
  row: DeliveryRow,
  { calendar }: Site,
): Static<typeof StoreDeliverySchema> {
  return {
    id: row.id,
    topic: row.topic,
    external_id: row.external_id,
    order_id: row.order_id,
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    date: calendar.toLocal(row.received_at),
  };
}
