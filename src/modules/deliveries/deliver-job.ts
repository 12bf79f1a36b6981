import type { SiteClient } from '../../kernel/call/site-client.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { FeedCursor } from '../events/index.ts';
import type { DeliveryDispatcher } from './dispatcher.ts';

interface Deliveries extends Pick<Job, 'name' | 'everyMs'> {
  readonly dispatcherOf: (site: Site) => DeliveryDispatcher;
  readonly client: SiteClient;
  /** Without a position, there has never been a receiver. */
  readonly cursor: FeedCursor;
  continueReplays(site: Site): Promise<void>;
  /** Adds the deliveries of some events; returns whether there may be more. */
  fanOut(site: Site): Promise<boolean>;
}

/** Creates deliveries for what is new in the feed and starts the due ones; sending continues between runs. */
export function deliverJob({ name, everyMs, ...use }: Deliveries): Job {
  return {
    name,
    everyMs,
    runsOn: 'one',
    atStop: true,
    async run(site) {
      const dispatcher = use.dispatcherOf(site);
      if (dispatcher.isClosed) {
        await dispatcher.finish();
        return use.client.close(site);
      }
      // Also logs a warning when private addresses have become allowed.
      use.client.of(site);
      if ((await use.cursor.position(site.database.read)) === undefined) return;
      await use.continueReplays(site);
      let isMore = true;
      while (isMore && !dispatcher.isClosed) {
        isMore = await use.fanOut(site);
        await dispatcher.sendDue();
      }
    },
  };
}
