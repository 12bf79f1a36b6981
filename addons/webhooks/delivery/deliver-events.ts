import { deliverJob } from '../../../src/modules/deliveries/index.ts';
import { webhookClient as client } from './client.ts';
import { dispatcherOf } from './dispatcher.ts';
import { fanOutCursor as cursor } from './fan-out-rows.ts';
import { continueReplays, fanOut } from './fan-out.ts';

export const deliverEvents = deliverJob({
  name: 'webhooks.deliver',
  everyMs: 250,
  dispatcherOf,
  client,
  cursor,
  continueReplays,
  fanOut,
});
