import { ShopError, type Connector, type Shop } from '../connector.ts';
import { approval } from './approval.ts';
import { completeLink } from './attribution.ts';
import { changedSince, fetchOrder, missingAmong } from './changed-orders.ts';
import { readOne } from './client.ts';
import { changeCoupon, createCoupon } from './coupons.ts';
import { exampleDelivery } from './example-delivery.ts';
import { plugin } from './plugin/plugin.ts';
import { idIn, isFields } from './payload.ts';
import { normalizeUrl } from './shop-url.ts';
import { toOrder } from './to-order.ts';
import { headersKept, verify } from './verify.ts';
import { checkWebhooks, deleteWebhooks, makeWebhooks, reachability } from './webhooks.ts';

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
  externalIdIn: (payload) => (isFields(payload) ? idIn(payload) : undefined),
  exampleDelivery,

  async connect(shop) {
    const currency = await readCurrency(shop);
    const steps = [`The shop answers and accepts the key. It sells in ${currency}.`];
    return {
      steps: [...steps, ...(await makeWebhooks(shop))],
      warnings: reachability(shop),
      webhooksActive: true,
    };
  },
  async check(shop) {
    await readCurrency(shop);
    return checkWebhooks(shop);
  },
  disconnect: deleteWebhooks,
  fetchOrder,
  missingAmong,
  changedSince,
  createCoupon,
  changeCoupon,
};

async function readCurrency(shop: Shop): Promise<string> {
  const { protocol, hostname } = new URL(shop.url);
  if (protocol === 'http:' && !isThisMachine(hostname)) {
    throw new ShopError(
      'credentials',
      'WooCommerce accepts keys over HTTPS only, and the address of the shop begins with http://.',
    );
  }
  const currency = await readOne(shop, '/data/currencies/current');
  return String(currency?.['code']);
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
