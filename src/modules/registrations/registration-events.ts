import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineEvent, type EventDefinition } from '../../kernel/declare/event.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import { emit } from '../events/index.ts';
import type { RegistrationRow } from './registration-rows.ts';
import { registrationStatuses, type RegistrationStatus } from './tables.ts';

const data = Type.Object({
  registration_id: Type.Integer(),
  user_id: Type.Integer({ description: 'The applicant.' }),
  coupon_code: Type.String(),
  status: StringEnum(registrationStatuses),
});

const exampleApplication = { registration_id: 5, user_id: 7, coupon_code: 'MAYA10' };

export const registrationCreated = defineEvent(
  'registration.created',
  'A user applied to become an affiliate.',
  data,
  {
    id: 21,
    timestamp: '2026-01-12T18:02:11.906Z',
    data: { ...exampleApplication, status: 'pending' },
  },
);
export const registrationAccepted = defineEvent(
  'registration.accepted',
  'An application was accepted.',
  data,
  {
    id: 26,
    timestamp: '2026-01-13T09:14:40.218Z',
    data: { ...exampleApplication, status: 'accepted' },
  },
);
export const registrationDeclined = defineEvent(
  'registration.declined',
  'An application was declined.',
  data,
  {
    id: 28,
    timestamp: '2026-01-13T09:20:03.551Z',
    data: { registration_id: 6, user_id: 11, coupon_code: 'BIGDEALS', status: 'declined' },
  },
);

export const applicantMessaged = defineEvent(
  'registration.messaged',
  'The team sent a message to an applicant.',
  Type.Object({
    registration_id: Type.Integer(),
    user_id: Type.Integer({ description: 'The applicant.' }),
    message_id: Type.Integer(),
  }),
  {
    id: 22,
    timestamp: '2026-01-12T19:30:00.120Z',
    data: { registration_id: 5, user_id: 7, message_id: 3 },
  },
);

const verbs: Record<RegistrationStatus, string> = {
  pending: 'submitted',
  accepted: 'accepted',
  declined: 'declined',
};

export async function emitRegistrationEvent(
  tx: Transaction,
  event: EventDefinition<typeof data>,
  row: RegistrationRow,
  actor: number,
  nowMs: number,
): Promise<void> {
  const status = row.status;
  emit(tx, event, {
    objectId: row.id,
    userId: actor,
    info: `Application of user ${row.user_id} ${verbs[status]}.`,
    data: { registration_id: row.id, user_id: row.user_id, coupon_code: row.coupon_code, status },
    nowMs,
  });
}
