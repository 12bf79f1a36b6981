import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { reasonAgainstUrl } from '../../../src/modules/deliveries/index.ts';
import { webhookClient } from '../delivery/client.ts';

export const invalidUrl = defineError(
  'svc_api_invalid_url',
  400,
  'The url must use https and a public address, without username, password or fragment, at most 2,048 characters.',
);

/** Refuses URLs that no delivery may be sent to. */
export async function requireUsableUrl(site: Site, url: string): Promise<void> {
  const reason = await reasonAgainstUrl(site, webhookClient, url, { isNameTold: true });
  if (reason === undefined) return;
  throw new ApiError(invalidUrl, { message: `The url cannot be used. ${reason}` });
}
