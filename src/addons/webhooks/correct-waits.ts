import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant, waitAfter } from '../../db/statements/instants.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { LEASE_MS } from './delivery/webhook-queue.ts';
import { RETRY_AFTER_MS_MAX, WAITS_MS_MAX } from './delivery/retry-schedule.ts';
import { findWebhook, lockWebhook, saveWebhook, type WebhookRow } from './webhook/webhook-rows.ts';

const all = query<object, { id: number }>((db) =>
  db.selectFrom('webhooks').select('id').where('status', '!=', 'deleted'),
);

/** For an attempted delivery, `due_at` is the end of a lease or of a retry delay. */
const LATEST_MS = WAITS_MS_MAX.map((ms, attempts) =>
  attempts === 0 ? ms : Math.max(ms, LEASE_MS),
);

/** A wait requested with `Retry-After` may be longer; it pauses the webhook. */
const shorten = updateInBatches<{ now: number; webhook_id: number; paused_until: number }>(
  'webhook_deliveries',
  'id',
  (p) => {
    const wait = waitAfter(sql`attempts - attempts_before`, LATEST_MS);
    const latest = sql`${instant(p.now)} + ${wait}`;
    return {
      set: sql`due_at = ${latest}`,
      where: sql<SqlBool>`webhook_id = ${p.webhook_id} and due_at > ${p.now}
        and due_at > ${p.paused_until} and due_at > ${latest}`,
    };
  },
);

const queueNow = updateInBatches<{ now: number }>('webhook_deliveries', 'id', (p) => ({
  set: sql`queued_at = ${p.now}`,
  where: sql<SqlBool>`queued_at > ${p.now}`,
}));

/** After the system clock was set back, shortens waits, pauses and retention to their rules. */
export async function correctWebhookWaits({ database }: Site, now: number): Promise<void> {
  for (const { id } of await database.read.all(all, {})) {
    const webhook = await database.transaction(async (tx) => {
      await lockWebhook(tx, id);
      const found = await findWebhook(tx, id);
      if (!found) return undefined;
      const corrected = correctedPause(found, now);
      await saveWebhook(tx, corrected);
      return corrected;
    });
    const paused_until = webhook?.paused_until ?? 0;
    await shorten(database, { now, webhook_id: id, paused_until });
  }
  await queueNow(database, { now });
}

/** A pause starts with an attempt. If that lies in the future, both are moved to now. */
function correctedPause(webhook: WebhookRow, now: number): WebhookRow {
  const attemptedMs = webhook.last_delivery_at ?? 0;
  const aheadMs = Math.max(0, attemptedMs - now);
  const until = webhook.paused_until - aheadMs;
  return {
    ...webhook,
    last_delivery_at: webhook.last_delivery_at && Math.min(webhook.last_delivery_at, now),
    failing_since: webhook.failing_since && Math.min(webhook.failing_since, now),
    paused_until: until > now + RETRY_AFTER_MS_MAX ? now : Math.max(0, until),
  };
}
