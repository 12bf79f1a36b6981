import type { CheckReport, Shop } from '../connector.ts';
import { change, readAll } from './client.ts';
import { idIn, type Fields } from './payload.ts';

/** Everything that changes an order. Deleting one for good, and deleting a refund, sends nothing. */
const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** WordPress sends requests to no other ports. */
const PORTS = new Set(['', '80', '443', '8080']);

async function listOwn(shop: Shop): Promise<Fields[]> {
  const all = await readAll(shop, '/webhooks');
  return all.filter((webhook) => webhook['delivery_url'] === shop.receiverUrl);
}

/** Creates the webhooks that are missing, and gives those that exist the current secret. */
export async function makeWebhooks(shop: Shop): Promise<string[]> {
  const own = await listOwn(shop);
  const steps: string[] = [];
  for (const topic of TOPICS) {
    const existing = own.find((webhook) => webhook['topic'] === topic);
    if (existing?.['status'] === 'disabled') {
      await replaceWebhook(shop, existing, topic);
      steps.push(`The shop had disabled the webhook ${topic}. It was created again.`);
    } else if (existing) {
      const json = { status: 'active', secret: shop.secret };
      await change(shop, 'PUT', `/webhooks/${idIn(existing)}`, { json });
      steps.push(`The webhook ${topic} existed and is active.`);
    } else {
      await createWebhook(shop, topic);
      steps.push(`The webhook ${topic} was created.`);
    }
  }
  return steps;
}

async function createWebhook(shop: Shop, topic: string): Promise<void> {
  const json = {
    name: `Tributary ${topic}`,
    topic,
    status: 'active',
    delivery_url: shop.receiverUrl,
    secret: shop.secret,
  };
  await change(shop, 'POST', '/webhooks', { json });
}

/** A webhook that is activated again keeps its six failures, and the next one disables it. A new one has none. */
async function replaceWebhook(shop: Shop, webhook: Fields, topic: string): Promise<void> {
  await change(shop, 'DELETE', `/webhooks/${idIn(webhook)}`, { query: { force: true } });
  await createWebhook(shop, topic);
}

/** Looks at the status of the webhooks: the shop does not say how often they failed. */
export async function checkWebhooks(shop: Shop): Promise<CheckReport> {
  const own = await listOwn(shop);
  const notes: string[] = [];
  let webhooksActive = true;
  for (const topic of TOPICS) {
    const webhook = own.find((one) => one['topic'] === topic);
    if (!webhook) {
      await createWebhook(shop, topic);
      notes.push(`The webhook ${topic} was missing and has been created again.`);
    } else if (webhook['status'] === 'disabled') {
      await replaceWebhook(shop, webhook, topic);
      notes.push(
        `The shop had disabled the webhook ${topic} after repeated failures. It was created again.`,
      );
    } else if (webhook['status'] !== 'active') {
      webhooksActive = false;
      notes.push(
        `The webhook ${topic} is paused in the shop. Activate it in WooCommerce, Settings, Advanced, Webhooks.`,
      );
    }
  }
  return { webhooksActive, notes: [...notes, ...reachability(shop)] };
}

export async function deleteWebhooks(shop: Shop): Promise<void> {
  for (const webhook of await listOwn(shop)) {
    await change(shop, 'DELETE', `/webhooks/${idIn(webhook)}`, { query: { force: true } });
  }
}

/** What keeps WordPress from sending, although it shows the webhook as active. */
export function reachability({ receiverUrl }: Shop): string[] {
  const { port, hostname } = new URL(receiverUrl);
  if (PORTS.has(port)) return [];
  return [
    `WordPress sends only to the ports 80, 443 and 8080, and ${hostname} is addressed with the port ${port}: ` +
      'deliveries will not arrive. Orders still come in when the connection is reconciled.',
  ];
}
