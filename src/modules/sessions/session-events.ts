import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

export const sessionCreated = defineEvent(
  'session.created',
  'Someone signed in.',
  Type.Object({ user_id: Type.Integer() }),
  { id: 10, timestamp: '2026-01-10T10:55:47.902Z', data: { user_id: 1 } },
  'user',
);

export const sessionEnded = defineEvent(
  'account.session_ended',
  'Sessions of a user were ended other than by signing out.',
  Type.Object({
    user_id: Type.Integer(),
    sessions: Type.Integer({ description: 'How many sessions were ended.' }),
  }),
  { id: 14, timestamp: '2026-01-10T11:07:31.412Z', data: { user_id: 7, sessions: 2 } },
  'user',
);
