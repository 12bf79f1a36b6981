import Type from 'typebox';
import { operation } from '../../kernel/operation.ts';

export const listWebhookEvents = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/webhooks/events',
  summary: 'Event catalog',
  description: 'Every event that a webhook can be subscribed to, with the add-ons that are active.',
  access: 'admin',
  scope: 'read',
  response: Type.Array(
    Type.Object({ event: Type.String(), description: Type.String() }, { $id: 'WebhookEvent' }),
  ),
  async handle({ site }) {
    return site.registry.events().map(({ name, description }) => ({ event: name, description }));
  },
});
