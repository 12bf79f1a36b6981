import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Day } from '../../kernel/declare/schemas.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUser } from '../users/index.ts';
import { keyList, statusFilter } from './key-rows.ts';
import { NewKeySchema } from './key-wire.ts';
import { makeKey } from './make-key.ts';
import { ownKeyMail } from './own-key-mail.ts';

const OWN_KEYS_MAX = 10;

export const tooManyKeys = defineError(
  'svc_api_too_many_keys',
  409,
  `You have ${OWN_KEYS_MAX} active API keys. Revoke one first.`,
);

export const createOwnKey = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/keys',
  summary: 'Create an API key for yourself that can only read',
  description:
    `The key has the scope \`read\` and sees what you see. At most ${OWN_KEYS_MAX} can be active. The response ` +
    'contains the key, which cannot be retrieved again. You are notified by email.',
  access: 'user',
  // A key of this scope could create others with POST /keys, too. Sessions and application passwords pass.
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      description: Type.String({ maxLength: 200, default: '', description: 'A label for people.' }),
      expires: Type.Optional(
        Day('The last day on which the key is valid, site time; not a past one.'),
      ),
    },
    { $id: 'CreateOwnApiKey' },
  ),
  example: {
    body: { description: 'My spreadsheet' },
    response: { description: 'My spreadsheet', scopes: ['read'], date_expires: null },
  },
  status: 201,
  secretAnswer: true,
  response: NewKeySchema,
  errors: [tooManyKeys, generalErrors.noEntropy],
  check({ expires }, errors, { calendar, clock }) {
    if (expires === undefined || expires >= calendar.dayOf(clock())) return;
    errors.invalid['expires'] = 'must not be in the past';
  },
  async handle({ db, site, caller, nowMs }, { description, expires }) {
    const userId = actorId(caller);
    // Of two concurrent requests, the second counts the key of the first.
    await db.lock(`keys of ${userId}`);
    const active = { user_id: userId, ...statusFilter('active', nowMs) };
    if ((await keyList.count(db, active)) >= OWN_KEYS_MAX) throw new ApiError(tooManyKeys);
    const user = await findUser(db, userId);
    if (!user) throw new ApiError(generalErrors.unauthorized);
    const key = await makeKey(
      db,
      site,
      { owner: user, description, scopes: ['read'], expires, userId },
      nowMs,
    );
    enqueueMail(db, site, ownKeyMail, {
      to: { address: user.email, name: user.display_name, language: user.language },
      data: { name: user.display_name, prefix: key.key_prefix, description },
      key: `account-key-created:${key.id}`,
      nowMs,
    });
    return key;
  },
});
