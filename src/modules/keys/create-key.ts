import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { actorId, mayEdit, scopes, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Day, Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { findUser, invalidUser, noSuchUser, toPerson } from '../users/index.ts';
import { NewKeySchema } from './key-wire.ts';
import { makeKey } from './make-key.ts';

export const cannotCreateForUser = defineError(
  'svc_api_cannot_create_for_user',
  403,
  'You may not create keys for this user.',
);

export const createKey = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/keys',
  summary: 'Create an API key',
  description: 'The response contains the key. It cannot be retrieved again.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      user_id: Type.Optional(Id('The user the key belongs to; you when not given.')),
      description: Type.String({ maxLength: 200, default: '', description: 'A label for people.' }),
      scopes: Type.Array(StringEnum(scopes), {
        minItems: 1,
        maxItems: 20,
        default: ['read'],
        description: 'The permissions of the key.',
      }),
      expires: Type.Optional(
        Day('The last day on which the key is valid, site time; not a past one.'),
      ),
    },
    { $id: 'CreateApiKey' },
  ),
  example: {
    body: {
      description: 'Order sync of the shop',
      scopes: ['read', 'write'],
      expires: '2026-12-31',
    },
  },
  status: 201,
  secretAnswer: true,
  response: NewKeySchema,
  errors: [invalidUser, cannotCreateForUser, generalErrors.noEntropy],
  check({ expires }, errors, { calendar, clock }) {
    if (expires === undefined || expires >= calendar.dayOf(clock())) return;
    errors.invalid['expires'] = 'must not be in the past';
  },
  async handle({ db, site, caller, nowMs }, input) {
    const owner = await requireOwner(db, caller, input.user_id ?? actorId(caller));
    const { description, expires } = input;
    const newKey = { owner, description, scopes: input.scopes, expires, userId: actorId(caller) };
    return makeKey(db, site, newKey, nowMs);
  },
});

async function requireOwner(db: Reader, caller: Caller, userId: number) {
  const user = await findUser(db, userId);
  if (!user) throw noSuchUser();
  const owner = toPerson(user);
  if (!mayEdit(caller, owner)) throw new ApiError(cannotCreateForUser);
  return owner;
}
