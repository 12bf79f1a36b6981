import type { Connector } from '../connector.ts';
import { changeCoupon, createCoupon } from './discounts.ts';
import { exampleDelivery } from './example-delivery.ts';
import { changedSince, fetchOrder, hides } from './orders.ts';
import { changeIn } from './refund-notice.ts';
import { productGroups } from './product-groups.ts';
import { externalIdIn, toOrder } from './to-order.ts';
import { headersKept, sentAt, verify } from './verify.ts';
import { accountOf, check, connect, disconnect } from './webhooks.ts';
import { hostOf, isLoopbackHost } from '../../../../shared/public-address.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/;
const SUFFIX = '.myshopify.com';

/**
 * The address of a store's API, out of the name, the domain, the address of its administration, or any address below
 * them. A service on this machine is accepted as it is, for tests.
 */
function normalizeUrl(typed: string): string {
  const text = typed.trim().toLowerCase();
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url && isLoopbackHost(hostOf(url))) return url.origin;
  const host = url?.hostname ?? '';
  const [, section, store] = url?.pathname.split('/') ?? [];
  const isAdministration = host === 'admin.shopify.com' && section === 'store';
  const name = isAdministration
    ? (store ?? '')
    : host.endsWith(SUFFIX)
      ? host.slice(0, -SUFFIX.length)
      : text;
  if (NAME.test(name)) return `https://${name}${SUFFIX}`;
  throw new Error(
    'Enter the domain that Shopify gave the shop, such as my-shop.myshopify.com. It is in Settings, Domains.',
  );
}

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
  hides,
  changeIn,
  changedSince,
  productGroups,
  createCoupon,
  changeCoupon,
};
