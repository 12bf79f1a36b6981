import Type from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { defineMail, enqueueMail } from '../../../src/modules/mail/index.ts';
import { listAdministrators, recipientOf } from '../../../src/modules/users/index.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import type { WebhookRow } from './webhook-rows.ts';
import '../texts.ts';

export const webhookDisabledMail = defineMail(
  'webhook-disabled',
  Type.Object({
    webhook_id: Type.Integer(),
    name: Type.String({ description: 'The name of the webhook.' }),
    host: Type.String(),
    failures: Type.Integer(),
    attempts: Type.String({ description: 'The failures in words: "25 failed attempts in a row".' }),
    last_error: Type.String(),
  }),
  {
    reason: 'team',
    about: 'To administrators when a webhook was switched off after many failures.',
  },
);

export async function mailAdministrators(
  tx: Transaction,
  site: Site,
  webhook: Pick<WebhookRow, 'id' | 'name' | 'url' | 'failures' | 'last_error'>,
  nowMs: number,
): Promise<void> {
  // A webhook can be disabled repeatedly; each time every administrator gets one mail.
  const time = randomBase62(12);
  for (const administrator of await listAdministrators(tx)) {
    enqueueMail(tx, site, webhookDisabledMail, {
      to: recipientOf(administrator),
      data: {
        webhook_id: webhook.id,
        name: webhook.name,
        // Only the host: the path may contain a secret of the receiver.
        host: new URL(webhook.url).host,
        failures: webhook.failures,
        attempts: countOf(webhook.failures, 'failed attempt', 'failed attempts in a row'),
        last_error: webhook.last_error,
      },
      key: `${webhookDisabledMail.name}:${webhook.id}:${administrator.id}:${time}`,
      nowMs,
    });
  }
}
