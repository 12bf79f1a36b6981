import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { sequenceEvents } from '../../../src/modules/events/index.ts';
import { makeSigningSecret } from '../../../src/shared/standard-webhooks.ts';
import { fanOutCursor } from '../delivery/fan-out-rows.ts';
import { webhooksMax } from '../settings.ts';
import { encryptSecret, saveSecret } from '../webhook/secret.ts';
import { EventNames, noEvents, subscriptionOf } from '../webhook/subscription.ts';
import { insertWebhook, webhookList } from '../webhook/webhook-rows.ts';
import { invalidUrl, requireUsableUrl } from '../webhook/webhook-url.ts';
import { NewWebhookSchema, toWebhook } from './webhook-wire.ts';

export const tooManyWebhooks = defineError(
  'svc_api_too_many_webhooks',
  409,
  'The maximum number of webhooks is reached (setting webhooks.max). Delete one first.',
);

export const createWebhook = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/webhooks',
  summary: 'Create a webhook',
  description:
    'The response contains the signing secret, which is shown only once. The webhook receives events ' +
    'from now on. The url and the secret cannot be changed. A session needs a recent proof.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  body: Type.Object(
    {
      name: Type.String({ maxLength: 100, default: '', description: 'A label of your choice.' }),
      url: Type.String({
        description: 'An https URL with a public address, at most 2,048 characters.',
        examples: ['https://receiver.example/hook'],
      }),
      events: EventNames,
    },
    { $id: 'CreateWebhook' },
  ),
  example: {
    body: {
      name: 'Books',
      url: 'https://books.example/hook',
      events: ['payout.paid', 'payout.cancelled'],
    },
  },
  status: 201,
  secretAnswer: true,
  response: NewWebhookSchema,
  errors: [noEvents, invalidUrl, tooManyWebhooks, generalErrors.noEntropy],
  permit: ({ db, site }) => requireRoom(db, site),
  // Resolves names over the network, which must not happen inside a transaction.
  async prepare({ url, events }, site) {
    const subscription = subscriptionOf(events, site.registry);
    await requireUsableUrl(site, url);
    // Events that happened before are not for this webhook.
    await sequenceEvents(site.database);
    return subscription;
  },
  async handle({ db, site, nowMs, prepared: subscription }, { name, url }) {
    await db.lock('webhooks');
    await requireRoom(db, site);
    const secret = makeSigningSecret();
    const webhook = await insertWebhook(db, {
      name,
      url,
      secret: '',
      events: JSON.stringify(subscription),
      created_at: nowMs,
    });
    // The encryption is bound to the row's id, which is known only now.
    await saveSecret(db, { id: webhook.id, secret: encryptSecret(site, webhook.id, secret) });
    await fanOutCursor.begin(db, webhook.from_event);
    return { ...toWebhook(webhook, site), secret };
  },
});

async function requireRoom(db: Reader, site: Site): Promise<void> {
  if ((await webhookList.count(db, {})) >= site.settings.get(webhooksMax)) {
    throw new ApiError(tooManyWebhooks);
  }
}
