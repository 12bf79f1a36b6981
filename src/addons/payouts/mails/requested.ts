import { definePayoutMail, payoutNotice } from './payout-mail.ts';

export const requestedMail = definePayoutMail(
  'payout-requested',
  {
    en: {
      subject: 'We received your payout request for {{money}}',
      text: `Hello {{name}},

We received your request for a payout of {{money}} for the coupon {{coupon_code}}. We'll let you know once it has been paid.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlungsanfrage über {{money}} ist eingegangen',
      text: `Guten Tag {{name}},

Ihre Anfrage über eine Auszahlung von {{money}} für den Gutschein {{coupon_code}} ist bei uns eingegangen. Wir informieren Sie, sobald das Geld überwiesen ist.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Hemos recibido tu solicitud de pago de {{money}}',
      text: `Hola, {{name}}:

Hemos recibido tu solicitud de un pago de {{money}} por el cupón {{coupon_code}}. Te avisaremos en cuanto se haya pagado.

Estado: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Nous avons reçu votre demande de versement de {{money}}',
      text: `Bonjour {{name}},

Nous avons bien reçu votre demande de versement de {{money}} pour le code {{coupon_code}}. Nous vous préviendrons dès que le versement aura été effectué.

Statut : {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'Recebemos a sua solicitação de pagamento de {{money}}',
      text: `Olá, {{name}}!

Recebemos a sua solicitação de um pagamento de {{money}} pelo cupom {{coupon_code}}. Avisaremos assim que for pago.

Situação: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { notice: payoutNotice, about: 'To the affiliate when a payout was requested.' },
);
