import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

const User = Type.Object({ user_id: Type.Integer() });

export const accountInvited = defineEvent(
  'account.invited',
  'A user was invited to choose a password.',
  User,
  { id: 18, timestamp: '2026-01-10T12:10:00.120Z', data: { user_id: 7 } },
  'user',
);

export const passwordChanged = defineEvent(
  'account.password_changed',
  'A user chose a password: the first one, or a new one.',
  Type.Object({
    user_id: Type.Integer(),
    by: Type.Union([Type.Literal('invitation'), Type.Literal('reset'), Type.Literal('password')], {
      description: 'The proof of identity: an emailed link, or the previous password.',
    }),
  }),
  {
    id: 19,
    timestamp: '2026-01-10T12:12:44.031Z',
    data: { user_id: 7, by: 'invitation' },
  },
  'user',
);

export const emailChanged = defineEvent(
  'account.email_changed',
  'A user confirmed a new email address.',
  User,
  { id: 20, timestamp: '2026-01-11T08:30:12.555Z', data: { user_id: 7 } },
  'user',
);
