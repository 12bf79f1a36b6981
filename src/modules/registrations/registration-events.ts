import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineEvent, type EventDefinition } from '../../kernel/event.ts';
import { StringEnum } from '../../kernel/schemas.ts';
import { emit } from '../events/index.ts';
import {
  registrationStatuses,
  type RegistrationRow,
  type RegistrationStatus,
} from './registration-store.ts';

const data = Type.Object({
  registration_id: Type.Integer(),
  user_id: Type.Integer({ description: 'The applicant.' }),
  coupon_code: Type.String(),
  status: StringEnum(registrationStatuses),
});

export const registrationCreated = defineEvent(
  'registration.created',
  'Somebody applied to become an affiliate.',
  data,
);
export const registrationAccepted = defineEvent(
  'registration.accepted',
  'An application was accepted.',
  data,
);
export const registrationDeclined = defineEvent(
  'registration.declined',
  'An application was declined.',
  data,
);

const verbs: Record<RegistrationStatus, string> = {
  pending: 'submitted',
  accepted: 'accepted',
  declined: 'declined',
};

export async function tellRegistration(
  tx: Transaction,
  event: EventDefinition<typeof data>,
  row: RegistrationRow,
  actor: number,
  nowMs: number,
): Promise<void> {
  const status = row.status as RegistrationStatus;
  await emit(tx, event, {
    objectId: row.id,
    userId: actor,
    info: `Application of ${row.login} ${verbs[status]}.`,
    data: { registration_id: row.id, user_id: row.user_id, coupon_code: row.coupon_code, status },
    nowMs,
  });
}
