import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { mailStates } from './tables.ts';

export const MailSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the email.' }),
    template: Type.String({ description: 'The name of the email, such as registration-accepted.' }),
    to: Type.String({ description: 'The address of the recipient.' }),
    subject: Type.String(),
    text: Type.String(),
    state: StringEnum(mailStates, {
      description:
        'pending: waits to be sent or retried; held: waits until its announcement goes on; failed: will not be ' +
        'retried; unknown: one of many that may have arrived, because the mail server gave no answer or the service ' +
        'was stopped: it is not sent again by itself.',
    }),
    attempts: Type.Integer({ description: 'Number of attempts to send it.' }),
    last_error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
    date_created: LocalTime('When it was created.'),
    date_sent: Nullable(LocalTime('When the mail server accepted it.')),
  },
  {
    $id: 'Mail',
    examples: [
      {
        id: 41,
        template: 'registration.accepted',
        to: 'maya@example.com',
        subject: 'Welcome to our affiliate program',
        text: 'Hello Maya Ortiz,\n\nYour application was accepted.',
        state: 'sent',
        attempts: 1,
        last_error: '',
        date_created: '2026-01-13T09:14:40',
        date_sent: '2026-01-13T09:14:42',
      },
    ],
  },
);

export function toMail(row: OutboxRow, { calendar }: Site): Static<typeof MailSchema> {
  return {
    id: row.id,
    template: row.template,
    to: row.to_address,
    subject: row.subject,
    text: row.text,
    state: row.state,
    attempts: row.attempts,
    last_error: row.last_error,
    date_created: calendar.toLocal(row.created_at),
    date_sent: calendar.toLocal(row.sent_at),
  };
}
