import Type, { type Static } from 'typebox';
import type { Caller, Person } from '../../kernel/declare/caller.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { toUser, UserSchema } from '../users/index.ts';
import type { RegistrationRow } from './registration-rows.ts';
import { registrationStatuses } from './tables.ts';

export const RegistrationSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the application.' }),
    user: UserSchema,
    coupon_code: Type.String({
      description: 'The requested coupon code, or empty; once accepted, the code of the coupon.',
    }),
    status: StringEnum(registrationStatuses),
    type: Type.String({ description: 'The kind of affiliate. Any text of your choice.' }),
    promote: Type.String({ description: 'How the applicant wants to promote the store.' }),
    referrer: Type.String({ description: 'How the applicant found the program.' }),
    website: Type.String({ description: 'The URL of a website, or empty.' }),
    custom_fields: Type.Record(Type.String(), Type.String(), {
      description: 'Additional fields of the form.',
    }),
    message: Type.String({ description: 'The message sent to the applicant with the decision.' }),
    date: LocalTime('When it was submitted.'),
    date_accepted: Nullable(LocalTime('When it was accepted.')),
    date_declined: Nullable(LocalTime('When it was declined.')),
  },
  {
    $id: 'Registration',
    examples: [
      {
        id: 5,
        coupon_code: 'MAYA10',
        status: 'accepted',
        type: '',
        promote: 'Reviews of outdoor gear on my blog',
        referrer: 'A friend',
        website: 'https://maya.example',
        custom_fields: {},
        message: 'Welcome!',
        date: '2026-01-12T18:02:11',
        date_accepted: '2026-01-13T09:14:40',
        date_declined: null,
      },
    ],
  },
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
    status: row.status,
    type: row.type,
    promote: row.promote,
    referrer: row.referrer,
    website: row.website,
    // The schema of an application accepts only text as values.
    custom_fields: JSON.parse(row.custom_fields) as Record<string, string>,
    message: row.message,
    date: calendar.toLocal(row.created_at),
    date_accepted: calendar.toLocal(row.accepted_at),
    date_declined: calendar.toLocal(row.declined_at),
  };
}

function applicantOf({ user_id, login, email, display_name, role }: RegistrationRow): Person {
  return { id: user_id, login, email, displayName: display_name, role };
}
