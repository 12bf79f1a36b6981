import Type from 'typebox';
import { scopes } from '../../kernel/declare/caller.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';

export const keyCreated = defineEvent(
  'key.created',
  'An API key was created.',
  Type.Object({
    key_id: Type.Integer(),
    user_id: Type.Integer(),
    scopes: Type.Array(StringEnum(scopes)),
    date_expires: Nullable(LocalTime('The last second at which the key is valid.')),
  }),
  {
    id: 11,
    timestamp: '2026-01-10T10:58:21.003Z',
    data: {
      key_id: 3,
      user_id: 1,
      scopes: ['read', 'write'],
      date_expires: '2026-12-31T23:59:59',
    },
  },
);

export const keyRevoked = defineEvent(
  'key.revoked',
  'An API key was revoked.',
  Type.Object({ key_id: Type.Integer(), user_id: Type.Integer() }),
  { id: 75, timestamp: '2026-02-12T07:45:09.377Z', data: { key_id: 3, user_id: 1 } },
);
