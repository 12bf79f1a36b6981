import Type from 'typebox';
import type { EventDeliveries } from '../../../kernel/present/openapi/webhooks.ts';

/** What the OpenAPI document says of deliveries. */
export const webhookDeliveries: EventDeliveries = {
  tag: 'webhooks',
  description:
    'Sent to the url of every active webhook that is subscribed to the event, with the headers of ' +
    'Standard Webhooks. Order is not promised: a retry arrives after what happened later.',
  headers: {
    'webhook-id': {
      description: 'The same with every attempt: what was received already can be passed over.',
      example: 'evt_61',
    },
    'webhook-timestamp': {
      description: 'When this attempt was made, in seconds since 1970.',
      example: '1770111000',
    },
    'webhook-signature': {
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`. The key is the base64-decoded part ' +
        'of the secret after `whsec_`.',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
  answers: 'Received. Any other status, and no answer within 15 seconds, is tried again later.',
  others: [
    {
      name: 'ping',
      kind: 'ping',
      description: 'A test delivery was asked for.',
      data: Type.Object({
        webhook_id: Type.Integer({ description: 'The webhook that is tested.' }),
      }),
      example: { id: 0, timestamp: '2026-01-10T11:12:30.512Z', data: { webhook_id: 2 } },
    },
  ],
};
