import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

const User = Type.Object({ user_id: Type.Integer() });

export const accountInvited = defineEvent(
  'account.invited',
  'A user was invited to choose a password.',
  User,
  { id: 15, timestamp: '2026-01-10T11:10:00.120Z', data: { user_id: 7 } },
);
