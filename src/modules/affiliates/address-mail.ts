import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { defineMail, enqueueMail } from '../mail/index.ts';
import { recipientOf } from '../users/index.ts';
import type { AffiliateRow } from './affiliate-store.ts';

export const addressChangedMail = defineMail(
  'address-changed',
  {
    en: {
      subject: 'Your e-mail address at {{site.name}} was changed',
      text: `Hello {{name}},

Emails from the {{site.name}} {{affiliate}} program will now be sent to a different address.

If you did not request this change, please let us know right away.`,
    },
    de: {
      subject: 'Ihre E-Mail-Adresse bei {{site.name}} wurde geändert',
      text: `Guten Tag {{name}},

E-Mails aus dem {{affiliate}}-Programm von {{site.name}} gehen ab jetzt an eine andere Adresse.

Wenn Sie das nicht veranlasst haben, melden Sie sich bitte umgehend bei uns.`,
    },
    es: {
      subject: 'Tu dirección de correo en {{site.name}} ha cambiado',
      text: `Hola, {{name}}:

A partir de ahora, los correos del programa de {{affiliates}} de {{site.name}} se enviarán a otra dirección.

Si no has pedido este cambio, avísanos cuanto antes.`,
    },
    fr: {
      subject: 'Votre adresse e-mail chez {{site.name}} a été modifiée',
      text: `Bonjour {{name}},

Les e-mails du programme {{affiliate}} {{site.name}} seront désormais envoyés à une autre adresse.

Si vous n’êtes pas à l’origine de ce changement, prévenez-nous sans attendre.`,
    },
    pt: {
      subject: 'O seu endereço de e-mail em {{site.name}} foi alterado',
      text: `Olá, {{name}}!

A partir de agora, os e-mails do programa de {{affiliates}} de {{site.name}} serão enviados para outro endereço.

Se você não pediu esta alteração, avise-nos imediatamente.`,
    },
  },
  Type.Object({ name: Type.String() }),
  { about: 'To the old address after an administrator has changed it.' },
);

/** Notifies the old address, so that the owner of an account that was taken over learns about it. */
export async function mailOldAddress(
  tx: Transaction,
  site: Site,
  user: AffiliateRow,
  nowMs: number,
): Promise<void> {
  enqueueMail(tx, site, addressChangedMail, {
    to: { ...recipientOf(user), name: user.display_name },
    data: { name: user.display_name },
    key: `${addressChangedMail.name}:${user.id}:${randomBase62(12)}`,
    nowMs,
  });
}
