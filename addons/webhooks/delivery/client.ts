import { SiteClient } from '../../../src/kernel/call/site-client.ts';
import { allowPrivate } from '../settings.ts';

/** Calls the receivers of webhooks. */
export const webhookClient = new SiteClient({
  allowPrivate,
  warn: (log) =>
    log.warn(
      {},
      'webhooks.allow_private is ON: webhooks can reach this machine and private networks. Turn it off in production.',
    ),
});
