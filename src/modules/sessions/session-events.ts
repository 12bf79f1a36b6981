import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';

export const sessionCreated = defineEvent(
  'session.created',
  'Someone signed in.',
  Type.Object({ user_id: Type.Integer() }),
  { id: 10, timestamp: '2026-01-10T10:55:47.902Z', data: { user_id: 1 } },
);
