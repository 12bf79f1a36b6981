import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { defineMail, enqueueMail } from '../../modules/mail/index.ts';
import { listAdministrators, recipientOf } from '../../modules/users/index.ts';
import { countOf } from '../../shared/count-of.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import type { WebhookRow } from './webhook-store.ts';

export const webhookDisabledMail = defineMail(
  'webhook-disabled',
  {
    en: {
      subject: 'Webhook {{webhook_id}} was disabled',
      text: `The webhook {{webhook_id}}{{#name}} ({{name}}){{/name}} to {{host}} was disabled.

Failed attempts in a row: {{failures}}
Last error: {{last_error}}

Pending deliveries are kept. Once the receiver works again, activate the webhook to resume them, and use a replay to send events that were missed in the meantime.`,
    },
    de: {
      subject: 'Webhook {{webhook_id}} wurde deaktiviert',
      text: `Der Webhook {{webhook_id}}{{#name}} ({{name}}){{/name}} an {{host}} wurde deaktiviert.

Fehlgeschlagene Versuche in Folge: {{failures}}
Letzter Fehler: {{last_error}}

Ausstehende Zustellungen bleiben erhalten. Sobald der Empfänger wieder arbeitet, aktivieren Sie den Webhook, um sie fortzusetzen, und senden Sie verpasste Ereignisse mit einer Wiederholung erneut.`,
    },
    es: {
      subject: 'El webhook {{webhook_id}} se ha desactivado',
      text: `El webhook {{webhook_id}}{{#name}} ({{name}}){{/name}} hacia {{host}} se ha desactivado.

Intentos fallidos seguidos: {{failures}}
Último error: {{last_error}}

Las entregas pendientes se conservan. Cuando el receptor vuelva a funcionar, activa el webhook para reanudarlas y usa una repetición para enviar los eventos que se hayan perdido.`,
    },
    fr: {
      subject: 'Le webhook {{webhook_id}} a été désactivé',
      text: `Le webhook {{webhook_id}}{{#name}} ({{name}}){{/name}} vers {{host}} a été désactivé.

Échecs consécutifs : {{failures}}
Dernière erreur : {{last_error}}

Les envois en attente sont conservés. Dès que le destinataire fonctionne à nouveau, activez le webhook pour les reprendre et utilisez une relecture pour renvoyer les événements manqués.`,
    },
    pt: {
      subject: 'O webhook {{webhook_id}} foi desativado',
      text: `O webhook {{webhook_id}}{{#name}} ({{name}}){{/name}} para {{host}} foi desativado.

Tentativas seguidas com falha: {{failures}}
Último erro: {{last_error}}

As entregas pendentes são mantidas. Quando o receptor voltar a funcionar, ative o webhook para retomá-las e use uma repetição para enviar os eventos perdidos.`,
    },
  },
  Type.Object({
    webhook_id: Type.Integer(),
    name: Type.String(),
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
