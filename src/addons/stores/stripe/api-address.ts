import { hostOf, isLoopbackHost } from '../../../shared/public-address.ts';

const API = 'https://api.stripe.com';

/** Stripe has one address. A service on this machine is accepted too, such as stripe-mock, for tests. */
export function normalizeUrl(typed: string): string {
  const text = typed.trim();
  if (text === '') return API;
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url && isLoopbackHost(hostOf(url))) return url.origin;
  if (url && (url.hostname === 'stripe.com' || url.hostname.endsWith('.stripe.com'))) return API;
  throw new Error('Leave the address empty: Stripe has the same one for all.');
}
