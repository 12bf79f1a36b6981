import { hostOf, isLoopbackHost } from '../../../../src/shared/public-address.ts';
import type { Connector } from '../connector.ts';
import { changedSince } from './changed-since.ts';
import { exampleDelivery } from './example-delivery.ts';
import { fetchOrder } from './fetch-order.ts';
import { changeCoupon, createCoupon } from './promotion-codes.ts';
import { toOrder } from './to-order.ts';
import { SIGNATURE_HEADER, verify } from './verify.ts';
import { accountOf, check, connect, disconnect } from './webhooks.ts';

const API = 'https://api.stripe.com';

/** Stripe has one address. A service on this machine is accepted too, such as stripe-mock, for tests. */
function normalizeUrl(typed: string): string {
  const text = typed.trim();
  if (text === '') return API;
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url && isLoopbackHost(hostOf(url))) return url.origin;
  if (url && (url.hostname === 'stripe.com' || url.hostname.endsWith('.stripe.com'))) return API;
  throw new Error('Leave the address empty: Stripe has the same one for all.');
}

/** Stripe, for stores that sell with Checkout, payment links or subscriptions. */
export const stripe: Connector = {
  kind: 'stripe',
  label: 'Stripe',
  normalizeUrl,
  urlIsShared: true,
  credentials: [
    {
      name: 'secret_key',
      label: 'Secret key',
      help: 'In the Dashboard of Stripe: Developers, API keys. A restricted key is enough; the guide lists its permissions.',
      required: true,
      pattern: '^(sk|rk)_[A-Za-z0-9_]{8,250}$',
    },
  ],
  storeMakesSecret: true,
  headersKept: [SIGNATURE_HEADER],
  verify,
  toOrder,
  exampleDelivery,
  accountOf,
  connect,
  check,
  disconnect,
  fetchOrder,
  changedSince,
  createCoupon,
  changeCoupon,
};
