/** The headers of a signed webhook delivery, as Standard Webhooks names them. */
export const webhookHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
