import type { Json } from '../../mapping/payload.ts';
import type { CheckReport, StoreApi } from '../connector.ts';
import { change, readAll } from './client.ts';
import { idIn } from './payload.ts';

/** Everything that changes an order. Deleting one for good, and deleting a refund, sends nothing. */
const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** WordPress sends requests to no other ports. */
const PORTS = new Set(['', '80', '443', '8080']);

async function listOwn(store: StoreApi): Promise<Json[]> {
  const all = await readAll(store, '/webhooks');
  return all.filter((webhook) => webhook['delivery_url'] === store.receiverUrl);
}

/** Creates the webhooks that are missing, and gives those that exist the current secret. */
export async function makeWebhooks(store: StoreApi): Promise<string[]> {
  const own = await listOwn(store);
  const steps: string[] = [];
  for (const topic of TOPICS) {
    const existing = own.find((webhook) => webhook['topic'] === topic);
    if (existing?.['status'] === 'disabled') {
      await replaceWebhook(store, existing, topic);
      steps.push(`The shop had disabled the webhook ${topic}. It was created again.`);
    } else if (existing) {
      const json = { status: 'active', secret: store.secret };
      await change(store, 'PUT', `/webhooks/${idIn(existing)}`, { json });
      steps.push(`The webhook ${topic} existed and is active.`);
    } else {
      await createWebhook(store, topic);
      steps.push(`The webhook ${topic} was created.`);
    }
  }
  return steps;
}

async function createWebhook(store: StoreApi, topic: string): Promise<void> {
  const json = {
    name: `Tributary ${topic}`,
    topic,
    status: 'active',
    delivery_url: store.receiverUrl,
    secret: store.secret,
  };
  await change(store, 'POST', '/webhooks', { json });
}

/** A webhook that is activated again keeps its six failures, and the next one disables it. A new one has none. */
async function replaceWebhook(store: StoreApi, webhook: Json, topic: string): Promise<void> {
  await change(store, 'DELETE', `/webhooks/${idIn(webhook)}`, { query: { force: true } });
  await createWebhook(store, topic);
}

/** Looks at the status of the webhooks: the store does not say how often they failed. */
export async function checkWebhooks(store: StoreApi): Promise<CheckReport> {
  const own = await listOwn(store);
  const notes: string[] = [];
  let webhooksActive = true;
  for (const topic of TOPICS) {
    const webhook = own.find((one) => one['topic'] === topic);
    if (!webhook) {
      await createWebhook(store, topic);
      notes.push(`The webhook ${topic} was missing and has been created again.`);
    } else if (webhook['status'] === 'disabled') {
      await replaceWebhook(store, webhook, topic);
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
  return { webhooksActive, notes: [...notes, ...reachability(store)] };
}

export async function deleteWebhooks(store: StoreApi): Promise<void> {
  for (const webhook of await listOwn(store)) {
    await change(store, 'DELETE', `/webhooks/${idIn(webhook)}`, { query: { force: true } });
  }
}

/** What keeps WordPress from sending, although it shows the webhook as active. */
export function reachability({ receiverUrl }: StoreApi): string[] {
  const { port, hostname } = new URL(receiverUrl);
  if (PORTS.has(port)) return [];
  return [
    `WordPress sends only to the ports 80, 443 and 8080, and ${hostname} is addressed with the port ${port}: ` +
      'deliveries will not arrive. Orders still come in when the connection is reconciled.',
  ];
}
