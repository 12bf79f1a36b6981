import Type from 'typebox';
import type { EventDeliveries } from '../../../src/kernel/present/openapi/webhooks.ts';

/** Describes deliveries in the OpenAPI document. */
export const webhookDeliveries: EventDeliveries = {
  tag: 'webhooks',
  description:
    'Sent to the url of every active webhook that is subscribed to the event, with the headers of ' +
    'Standard Webhooks. Order is not guaranteed: a retry can arrive after later events.',
  headers: {
    'webhook-id': {
      description: 'The same for every attempt. Use it to skip events you have already processed.',
      example: 'evt_61',
    },
    'webhook-timestamp': {
      description: 'Unix time of this attempt, in seconds.',
      example: '1770111000',
    },
    'webhook-signature': {
      description:
        '`v1,` followed by the base64-encoded HMAC-SHA256 of `id.timestamp.body`. The key is the ' +
        'base64-decoded part of the secret after `whsec_`.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
  answers:
    'Received. After any other status, or no response within 15 seconds, the delivery is retried.',
  others: [
    {
      name: 'ping',
      kind: 'ping',
      object: 'webhook',
      description: 'A test delivery was requested.',
      data: Type.Object({
        webhook_id: Type.Integer({ description: 'The webhook that is tested.' }),
      }),
      example: { id: 0, timestamp: '2026-01-10T11:12:30.512Z', data: { webhook_id: 2 } },
    },
  ],
};
