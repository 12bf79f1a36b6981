import { isObject } from '../../mapping/payload.ts';
import { type Approval, type Connector, type StoreApi, StoreError } from '../connector.ts';
import { completeLink } from './attribution.ts';
import { changedSince, fetchOrder, missingAmong } from './changed-orders.ts';
import { readOne } from './client.ts';
import { changeCoupon, createCoupon } from './coupons.ts';
import { exampleDelivery } from './example-delivery.ts';
import { idIn } from './payload.ts';
import { plugin } from './plugin/plugin.ts';
import { productGroups } from './product-groups.ts';
import { toOrder } from './to-order.ts';
import { headersKept, verify } from './verify.ts';
import { checkWebhooks, deleteWebhooks, makeWebhooks, reachability } from './webhooks.ts';

/**
 * WooCommerce's own page on which an owner approves access. The store then creates a key and sends it, unsigned, to
 * `callbackUrl`, which it accepts with https only; it keeps the key only if the answer is 200.
 */
const approval: Approval = {
  url(storeUrl, { requestId, callbackUrl, returnUrl }) {
    const query = new URLSearchParams({
      app_name: 'Tributary',
      scope: 'read_write',
      user_id: String(requestId),
      return_url: returnUrl,
      callback_url: callbackUrl,
    });
    return `${storeUrl}/wc-auth/v1/authorize?${query.toString()}`;
  },

  /** The store also sends the id of the key, the permission and `user_id`. */
  credentialsIn(payload) {
    if (!isObject(payload)) return undefined;
    const { consumer_key, consumer_secret } = payload;
    if (typeof consumer_key !== 'string' || typeof consumer_secret !== 'string') return undefined;
    return { consumer_key, consumer_secret };
  },
};

/** Pages of WordPress that an owner may copy the address of. */
const PAGES = /\/(?:wp-admin|wp-json|wp-login\.php|index\.php)(?:\/.*)?$/;

/** The address of a store out of what an owner types or pastes: with a scheme, without a page and a final slash. */
function normalizeUrl(typed: string): string {
  const text = typed.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') {
    throw new Error('must be the address of the shop, such as https://shop.example');
  }
  const path = url.pathname.replace(PAGES, '').replace(/\/+$/, '');
  return url.origin + path;
}

export const woocommerce: Connector = {
  kind: 'woocommerce',
  label: 'WooCommerce',
  normalizeUrl,
  credentials: [
    {
      name: 'consumer_key',
      label: 'Consumer key',
      help: 'WooCommerce, Settings, Advanced, REST API, Add key, with the permission Read/Write. It begins with ck_.',
      required: true,
      pattern: '^ck_[A-Za-z0-9]{10,100}$',
    },
    {
      name: 'consumer_secret',
      label: 'Consumer secret',
      help: 'Shown once, next to the consumer key. It begins with cs_.',
      required: true,
      pattern: '^cs_[A-Za-z0-9]{10,100}$',
    },
  ],
  approval,
  completeLink,
  plugin,
  remappedBy: ['statuses'],
  headersKept,
  verify,
  toOrder,
  externalIdIn: (payload) => (isObject(payload) ? idIn(payload) : undefined),
  exampleDelivery,

  async connect(store) {
    const currency = await readCurrency(store);
    const steps = [`The shop answers and accepts the key. It sells in ${currency}.`];
    return {
      steps: [...steps, ...(await makeWebhooks(store))],
      warnings: reachability(store),
      webhooksActive: true,
    };
  },
  async check(store) {
    await readCurrency(store);
    return checkWebhooks(store);
  },
  disconnect: deleteWebhooks,
  fetchOrder,
  missingAmong,
  changedSince,
  productGroups,
  createCoupon,
  changeCoupon,
};

async function readCurrency(store: StoreApi): Promise<string> {
  const { protocol, hostname } = new URL(store.url);
  if (protocol === 'http:' && !isThisMachine(hostname)) {
    throw new StoreError(
      'credentials',
      'WooCommerce accepts keys over HTTPS only, and the address of the shop begins with http://.',
    );
  }
  const currency = await readOne(store, '/data/currencies/current');
  return String(currency?.['code']);
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
