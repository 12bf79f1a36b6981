import type { Job } from '../../../kernel/declare/job.ts';
import { postbackClient } from './client.ts';
import { dispatcherOf } from './dispatcher.ts';
import { fanOutCursor } from './fan-out-rows.ts';
import { continueReplays, fanOut } from './fan-out.ts';

/** Creates deliveries for changed orders and starts the due ones; sending continues between runs. */
export const deliverPostbacks: Job = {
  name: 'postbacks.deliver',
  everyMs: 500,
  runsOn: 'one',
  atStop: true,
  async run(site) {
    const dispatcher = dispatcherOf(site);
    if (dispatcher.isClosed) {
      await dispatcher.finish();
      return postbackClient.close(site);
    }
    // Also logs a warning when private addresses have become allowed.
    postbackClient.of(site);
    // Without a cursor, there has never been a postback.
    if ((await fanOutCursor.position(site.database.read)) === undefined) return;
    await continueReplays(site);
    let isMore = true;
    while (isMore && !dispatcher.isClosed) {
      isMore = await fanOut(site);
      await dispatcher.sendDue();
    }
  },
};
