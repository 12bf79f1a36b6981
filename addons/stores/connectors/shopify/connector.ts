import { hostOf, isLoopbackHost } from '../../../../src/shared/public-address.ts';
import type { Connector } from '../connector.ts';
import { changeCoupon, createCoupon } from './discounts.ts';
import { exampleDelivery } from './example-delivery.ts';
import { changedSince, fetchOrder, hides } from './orders.ts';
import { productGroups } from './product-groups.ts';
import { changeIn } from './refund-notice.ts';
import { externalIdIn, toOrder } from './to-order.ts';
import { headersKept, sentAt, verify } from './verify.ts';
import { accountOf, check, connect, disconnect } from './webhooks.ts';

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
      help: 'In the Dev Dashboard, on the page Settings of the app.',
      required: false,
      pattern: '^[0-9a-f]{32}$',
    },
    {
      name: 'client_secret',
      label: 'Client secret',
      help: 'Next to the client ID; older apps call it "API secret key". It also proves that deliveries are genuine.',
      required: false,
      pattern: '^(shpss_[A-Za-z0-9]{8,200}|[0-9a-f]{32,64})$',
    },
    {
      name: 'access_token',
      label: 'Admin API token',
      help: 'Of an app that was made in the shop\'s administration before 2026. It begins with "shpat_".',
      required: false,
      pattern: '^shp[a-z]{2}_[A-Za-z0-9]{8,200}$',
    },
  ],
  credentialSets: [
    ['client_id', 'client_secret'],
    ['access_token', 'client_secret'],
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
