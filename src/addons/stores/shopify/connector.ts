import type { Connector } from '../connector.ts';
import { changeCoupon, createCoupon } from './discounts.ts';
import { exampleDelivery } from './example-delivery.ts';
import { changedSince, fetchOrder } from './orders.ts';
import { normalizeUrl } from './shop-address.ts';
import { externalIdIn, toOrder } from './to-order.ts';
import { headersKept, sentAt, verify } from './verify.ts';
import { accountOf, check, connect, disconnect } from './webhooks.ts';

/** Shopify, by an app of the merchant's own: of the Dev Dashboard, or an older custom app with an Admin API token. */
export const shopify: Connector = {
  kind: 'shopify',
  label: 'Shopify',
  normalizeUrl,
  credentials: [
    {
      name: 'client_id',
      label: 'Client ID',
      help: 'Of the app, in the Dev Dashboard under Settings. Not needed with an Admin API token.',
      required: false,
      pattern: '^[A-Za-z0-9_-]{8,100}$',
    },
    {
      name: 'client_secret',
      label: 'Client secret',
      help: 'Next to the client ID; older apps call it "API secret key". It also proves that deliveries are genuine.',
      required: false,
      pattern: '^[A-Za-z0-9_-]{8,200}$',
    },
    {
      name: 'access_token',
      label: 'Admin API token',
      help: 'Only for an app that was made in the shop\'s administration before 2026. It starts with "shpat_".',
      required: false,
      pattern: '^[A-Za-z0-9_-]{8,200}$',
    },
  ],
  storeMakesSecret: true,
  headersKept,
  verify,
  sentAt,
  toOrder,
  externalIdIn,
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
