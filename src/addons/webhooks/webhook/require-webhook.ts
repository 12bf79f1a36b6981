import type { Reader } from '../../../db/database.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { findWebhook, type WebhookRow } from './webhook-rows.ts';

export async function requireWebhook(db: Reader, id: number): Promise<WebhookRow> {
  const webhook = await findWebhook(db, id);
  if (!webhook) throw new ApiError(generalErrors.notFound);
  return webhook;
}
