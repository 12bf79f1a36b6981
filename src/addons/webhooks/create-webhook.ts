import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { makeSigningSecret } from '../../shared/standard-webhooks.ts';
import { putEventsInOrder } from '../../modules/events/index.ts';
import { beginFanOut } from './delivery/fan-out-store.ts';
import { encryptSecret, saveSecret } from './secret.ts';
import { webhooksMax } from './settings.ts';
import { EventNames, noEvents, subscriptionOf } from './subscription.ts';
import { countWebhooks, insertWebhook } from './webhook-store.ts';
import { invalidUrl, requireUsableUrl } from './webhook-url.ts';
import { NewWebhookSchema, toWebhook } from './webhook-wire.ts';

export const tooManyWebhooks = defineError(
  'svc_api_too_many_webhooks',
  409,
  'There are as many webhooks as there may be (setting webhooks.max). Delete one first.',
);

export const createWebhook = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/webhooks',
  summary: 'Create a webhook',
  description:
    'The answer carries the signing secret, this once. The webhook gets the events from now on. ' +
    'Neither the url nor the secret can be changed.',
  access: 'plugin-admin',
  scope: 'manage',
  body: Type.Object(
    {
      name: Type.String({ maxLength: 100, default: '', description: 'A label for people.' }),
      url: Type.String({
        description: 'https, a public address, at most 2,048 characters.',
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
  // Name servers are asked: never inside a transaction.
  async prepare({ url, events }, site) {
    const subscription = subscriptionOf(events, site.registry);
    await requireUsableUrl(site, url);
    // What has happened already is not for it.
    await putEventsInOrder(site.database);
    return subscription;
  },
  async handle({ db, site, nowMs, prepared: subscription }, { name, url }) {
    await db.lock('webhooks');
    if ((await countWebhooks(db)) >= site.settings.get(webhooksMax)) {
      throw new ApiError(tooManyWebhooks);
    }
    const secret = makeSigningSecret();
    const webhook = await insertWebhook(db, {
      name,
      url,
      secret: '',
      events: JSON.stringify(subscription),
      created_at: nowMs,
    });
    // Bound to its row, whose number is known only now.
    await saveSecret(db, webhook.id, encryptSecret(site, webhook.id, secret));
    await beginFanOut(db, webhook.from_event);
    return { ...toWebhook(webhook, site), secret };
  },
});
