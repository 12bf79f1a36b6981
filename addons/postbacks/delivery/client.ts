import { SiteClient } from '../../../src/kernel/call/site-client.ts';
import { allowPrivate } from '../settings.ts';

/** Calls the addresses of postbacks. */
export const postbackClient = new SiteClient({
  allowPrivate,
  warn: (log) =>
    log.warn(
      {},
      'postbacks.allow_private is ON: postbacks can reach this machine and private networks. Turn it off in production.',
    ),
});
