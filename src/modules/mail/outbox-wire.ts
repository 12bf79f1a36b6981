import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { mailStates, type MailState, type OutboxRow } from './outbox-store.ts';

export const MailSchema = Type.Object(
  {
    id: Type.Integer(),
    template: Type.String({ description: 'Which mail it is.' }),
    to: Type.String({ description: 'The address.' }),
    subject: Type.String(),
    text: Type.String(),
    state: StringEnum(mailStates, {
      description: 'pending: waits to be sent, or to be tried again; failed: nobody tries again.',
    }),
    attempts: Type.Integer(),
    last_error: Type.String({ description: 'Why the last attempt failed; empty when none did.' }),
    date_created: LocalTime('When it was written.'),
    date_sent: Nullable(LocalTime('When the mail server took it.')),
  },
  { $id: 'Mail' },
);

export function toMail(row: OutboxRow, { calendar }: Site): Static<typeof MailSchema> {
  return {
    id: row.id,
    template: row.template,
    to: row.to_address,
    subject: row.subject,
    text: row.text,
    state: row.state as MailState,
    attempts: row.attempts,
    last_error: row.last_error,
    date_created: calendar.toLocal(row.created_at),
    date_sent: calendar.toLocal(row.sent_at),
  };
}
