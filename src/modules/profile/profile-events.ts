import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';

export const changeable = ['display_name', 'language', 'notifications'] as const;

export const accountUpdated = defineEvent(
  'account.updated',
  'A user changed its name, its language or which notices it gets.',
  Type.Object({
    user_id: Type.Integer({ description: 'The user.' }),
    changed: Type.Array(StringEnum(changeable), { description: 'The names of what changed.' }),
  }),
  {
    id: 97,
    timestamp: '2026-02-20T18:31:05.402Z',
    data: { user_id: 7, changed: ['language'] },
  },
  'user',
);
