import { deliverJob } from '../../../src/modules/deliveries/index.ts';
import { postbackClient as client } from './client.ts';
import { dispatcherOf } from './dispatcher.ts';
import { fanOutCursor as cursor } from './fan-out-rows.ts';
import { continueReplays, fanOut } from './fan-out.ts';

export const deliverPostbacks = deliverJob({
  name: 'postbacks.deliver',
  everyMs: 500,
  dispatcherOf,
  client,
  cursor,
  continueReplays,
  fanOut,
});
