import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';

export const listWebhookEvents = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/webhooks/events',
  summary: 'List the events for webhooks',
  description: 'All events that a webhook can subscribe to, including those of active add-ons.',
  access: 'plugin-admin',
  scope: 'read',
  query: Type.Object(pageParameters),
  response: Type.Array(
    Type.Object(
      {
        event: Type.String({ description: 'The name to subscribe to.' }),
        description: Type.String({ description: 'When it happens.' }),
      },
      {
        $id: 'WebhookEvent',
        examples: [{ event: 'payout.paid', description: 'A payout was marked as paid.' }],
      },
    ),
  ),
  headers: pageHeaders,
  async handle({ site }, input) {
    const events = site.registry.events();
    return collection(input, events.length, async ({ limit, offset }) => {
      const page = events.slice(offset, offset + limit);
      return page.map(({ name, description }) => ({ event: name, description }));
    });
  },
});
