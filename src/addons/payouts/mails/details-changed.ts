import Type from 'typebox';
import { defineMail } from '../../../modules/mail/index.ts';

export const detailsChangedMail = defineMail(
  'payout-details-changed',
  {
    en: {
      subject: 'Your payout details were changed',
      text: `Hello {{name}},

Your payout details were changed. From now on we pay you by {{method}}.

If you did not make or request this change, please contact us immediately.

{{#site.portal_url}}
{{site.portal_url}}/payout-details
{{/site.portal_url}}`,
      action: 'Check your payout details',
    },
    de: {
      subject: 'Ihre Auszahlungsdaten wurden geändert',
      text: `Guten Tag {{name}},

Ihre Auszahlungsdaten wurden geändert. Neuer Zahlungsweg: {{method}}.

Wenn Sie diese Änderung weder vorgenommen noch veranlasst haben, melden Sie sich bitte sofort bei uns.

{{#site.portal_url}}
{{site.portal_url}}/payout-details
{{/site.portal_url}}`,
      action: 'Auszahlungsdaten prüfen',
    },
    es: {
      subject: 'Tus datos de pago han cambiado',
      text: `Hola, {{name}}:

Tus datos de pago han cambiado. Nueva forma de pago: {{method}}.

Si no has hecho ni pedido este cambio, ponte en contacto con nosotros de inmediato.

{{#site.portal_url}}
{{site.portal_url}}/payout-details
{{/site.portal_url}}`,
      action: 'Revisar mis datos de pago',
    },
    fr: {
      subject: 'Vos coordonnées de versement ont été modifiées',
      text: `Bonjour {{name}},

Vos coordonnées de versement ont été modifiées. Nouveau mode de versement : {{method}}.

Si vous n’êtes pas à l’origine de ce changement, contactez-nous immédiatement.

{{#site.portal_url}}
{{site.portal_url}}/payout-details
{{/site.portal_url}}`,
      action: 'Vérifier mes coordonnées de versement',
    },
    pt: {
      subject: 'Os seus dados de pagamento foram alterados',
      text: `Olá, {{name}}!

Os seus dados de pagamento foram alterados. Nova forma de pagamento: {{method}}.

Se você não fez nem pediu esta alteração, entre em contato conosco imediatamente.

{{#site.portal_url}}
{{site.portal_url}}/payout-details
{{/site.portal_url}}`,
      action: 'Verificar os meus dados de pagamento',
    },
  },
  Type.Object({ name: Type.String(), method: Type.String() }),
  { about: 'To the affiliate when the payout details were changed.' },
);
