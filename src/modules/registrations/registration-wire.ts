import Type, { type Static } from 'typebox';
import type { Caller, Person, Role } from '../../kernel/caller.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { toUser, UserSchema } from '../users/index.ts';
import {
  registrationStatuses,
  type RegistrationRow,
  type RegistrationStatus,
} from './registration-store.ts';

export const RegistrationSchema = Type.Object(
  {
    id: Type.Integer(),
    user: UserSchema,
    coupon_code: Type.String({
      description: 'The code asked for, or empty; once accepted, the code given.',
    }),
    status: StringEnum(registrationStatuses),
    type: Type.String(),
    promote: Type.String({ description: 'How the applicant wants to promote the store.' }),
    referrer: Type.String({ description: 'Where the applicant heard of the program.' }),
    website: Type.String(),
    custom_fields: Type.Record(Type.String(), Type.String()),
    message: Type.String({ description: 'What was written to the applicant with the decision.' }),
    date: LocalTime('When it was submitted.'),
    date_accepted: Nullable(LocalTime('When it was accepted.')),
    date_declined: Nullable(LocalTime('When it was declined.')),
  },
  { $id: 'Registration' },
);

export function toRegistration(
  row: RegistrationRow,
  { calendar }: Site,
  caller: Caller,
): Static<typeof RegistrationSchema> {
  return {
    id: row.id,
    user: toUser(applicantOf(row), caller),
    coupon_code: row.coupon_code,
    status: row.status as RegistrationStatus,
    type: row.type,
    promote: row.promote,
    referrer: row.referrer,
    website: row.website,
    custom_fields: JSON.parse(row.custom_fields) as Record<string, string>,
    message: row.message,
    date: calendar.toLocal(row.created_at),
    date_accepted: calendar.toLocal(row.accepted_at),
    date_declined: calendar.toLocal(row.declined_at),
  };
}

function applicantOf({ user_id, login, email, display_name, role }: RegistrationRow): Person {
  return { id: user_id, login, email, displayName: display_name, role: role as Role };
}
