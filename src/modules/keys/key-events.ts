import Type from 'typebox';
import { scopes } from '../../kernel/caller.ts';
import { defineEvent } from '../../kernel/event.ts';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';

export const keyCreated = defineEvent(
  'key.created',
  'An API key was created.',
  Type.Object({
    key_id: Type.Integer(),
    user_id: Type.Integer(),
    scopes: Type.Array(StringEnum(scopes)),
    date_expires: Nullable(LocalTime('The last second at which the key is valid.')),
  }),
);

export const keyRevoked = defineEvent(
  'key.revoked',
  'An API key was revoked.',
  Type.Object({ key_id: Type.Integer(), user_id: Type.Integer() }),
);
