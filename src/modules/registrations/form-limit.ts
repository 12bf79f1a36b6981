import { anonymousRatePerMinute } from '../../kernel/call/rate-limit-settings.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { networkOf } from '../../shared/network.ts';

const PER_NETWORK = 10;

/**
 * Whether one more application from there is let through. The form is as limited as the API: as many
 * a minute as all strangers together may make requests there, and few of them from one network.
 */
export async function takeFromFormLimit(
  { limits, settings }: Site,
  address: string,
): Promise<boolean> {
  const ofAddress = await limits.take(`form from ${networkOf(address)}`, PER_NETWORK);
  if (!ofAddress.allowed) return false;
  const ofAll = await limits.take('form', settings.get(anonymousRatePerMinute));
  return ofAll.allowed;
}
