import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import type { Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  alreadyAnonymised,
  lockAffiliate,
  requireNotAnonymised,
  requireOwnAffiliate,
} from '../../../src/modules/affiliates/index.ts';
import { sequenceEvents } from '../../../src/modules/events/index.ts';
import { makeSigningSecret } from '../../../src/shared/standard-webhooks.ts';
import { beginFanOut } from '../delivery/fan-out-rows.ts';
import { insertPostback, listPostbacksOf } from '../postback/postback-rows.ts';
import { invalidPostbackUrl, requireUsableUrl } from '../postback/postback-url.ts';
import { encryptSecret, saveSecret } from '../postback/secret.ts';
import { postbacksMax } from '../settings.ts';
import {
  NewPostbackSchema,
  OrderChanges,
  PostbackFormat,
  PostbackMethod,
  PostbackUrl,
  requireMatch,
  storedChanges,
  toPostback,
} from './postback-wire.ts';

export const tooManyPostbacks = defineError(
  'svc_api_too_many_postbacks',
  409,
  'The maximum number of postbacks is reached (setting postbacks.max). Delete one first.',
);

export const createPostback = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks',
  summary: 'Create a postback',
  description:
    'For admins and the affiliate itself. The URL is called for each change of an order from now on, one after the ' +
    'other for each order. For the format `json` the response has the signing secret, which is shown only once. A ' +
    'session needs a recent proof.',
  access: 'owner',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      url: PostbackUrl,
      method: Type.Optional(PostbackMethod),
      events: OrderChanges,
      format: Type.Optional(PostbackFormat),
    },
    { $id: 'CreatePostback' },
  ),
  example: {
    body: {
      url: 'https://tracker.example/postback?cid={sub1}&status={status}&payout={commission}',
      method: 'GET',
      events: ['created', 'granted', 'reversed'],
      format: 'macros',
    },
  },
  status: 201,
  secretAnswer: true,
  response: NewPostbackSchema,
  errors: [
    generalErrors.notFound,
    invalidPostbackUrl,
    tooManyPostbacks,
    alreadyAnonymised,
    generalErrors.noEntropy,
  ],
  permit: ({ db, site, caller }, { id }) => requireRoom(db, site, caller, id),
  // Resolves names over the network, which must not happen inside a transaction.
  async prepare({ url }, site) {
    await requireUsableUrl(site, url);
    // Events that happened before are not for this postback.
    await sequenceEvents(site.database);
  },
  async handle({ db, site, caller, nowMs }, { id, url, events, format = 'macros', ...given }) {
    // Erasing a person takes the same lock, so no postback is added behind it.
    await lockAffiliate(db, id);
    await requireRoom(db, site, caller, id);
    const method = given.method ?? (format === 'json' ? 'POST' : 'GET');
    requireMatch({ method, format });
    await beginFanOut(db);
    const row = { user_id: id, url, method, format, events: storedChanges(events) };
    const postback = await insertPostback(db, { ...row, created_at: nowMs });
    const secret = format === 'json' ? makeSigningSecret() : null;
    if (secret !== null) {
      // The encryption is bound to the row's id, which is known only now.
      const { id: postbackId } = postback;
      const encrypted = encryptSecret(site, { id: postbackId, secret });
      await saveSecret(db, { id: postbackId, secret: encrypted });
    }
    return { ...toPostback(postback, site), secret };
  },
});

/** The affiliate of the caller, who may have one more postback. */
async function requireRoom(db: Reader, site: Site, caller: Caller, id: number): Promise<void> {
  requireNotAnonymised(await requireOwnAffiliate(db, caller, id));
  const own = await listPostbacksOf(db, { user_id: id });
  if (own.length >= site.settings.get(postbacksMax)) throw new ApiError(tooManyPostbacks);
}
