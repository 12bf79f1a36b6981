export interface Webhook {
  readonly id: string;
  /** As GraphQL names it, such as ORDERS_CREATE. */
  readonly topic: string;
  readonly uri: string;
}

export interface NewWebhook {
  readonly topic: string;
  readonly webhookSubscription: { readonly uri: string };
}

/** What the mutation answers. */
export function createWebhook(
  webhooks: Webhook[],
  { topic, webhookSubscription: { uri } }: NewWebhook,
  number: number,
): object {
  const refuse = (message: string) => ({
    userErrors: [{ field: ['webhookSubscription', 'uri'], message }],
  });
  // Tests listen on this machine without a certificate.
  if (!/^https:|^http:\/\/localhost:/.test(uri)) return refuse('Address must use https');
  if (webhooks.some((one) => one.topic === topic && one.uri === uri)) {
    return refuse('Address for this topic has already been taken');
  }
  const webhook = { id: `gid://shopify/WebhookSubscription/${number}`, topic, uri };
  webhooks.push(webhook);
  return { webhookSubscription: webhook, userErrors: [] };
}
