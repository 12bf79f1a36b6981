import { SiteClient } from '../../../src/kernel/call/site-client.ts';
import { allowPrivate } from '../settings.ts';

/** Calls the APIs of connected stores. */
export const storeClient = new SiteClient({
  allowPrivate,
  warn: (log) =>
    log.warn(
      {},
      'stores.allow_private is ON: connected stores can be on this machine and in private networks. Turn it off in production.',
    ),
});
