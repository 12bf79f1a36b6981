import { anonymousRatePerMinute } from '../../kernel/call/rate-limit-settings.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { networkOf } from '../../shared/network.ts';

const PER_NETWORK = 10;

/**
 * Whether to accept one more application. The form has the same limit per minute as all
 * unauthenticated API requests together, and a lower one per network.
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
