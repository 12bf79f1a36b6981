import { definePayoutMail, payoutNotice } from './payout-mail.ts';

export const reopenedMail = definePayoutMail(
  'payout-reopened',
  {
    en: {
      subject: 'Your payout of {{money}} was reopened',
      text: `Hello {{name}},

We reopened your payout of {{money}} for the coupon {{coupon_code}}. We'll let you know once it has been paid.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} wurde wieder geöffnet',
      text: `Guten Tag {{name}},

Wir haben Ihre Auszahlung von {{money}} für den Gutschein {{coupon_code}} wieder geöffnet. Wir informieren Sie, sobald das Geld überwiesen ist.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} se ha reabierto',
      text: `Hola, {{name}}:

Hemos reabierto tu pago de {{money}} por el cupón {{coupon_code}}. Te avisaremos en cuanto se haya pagado.

Estado: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} a été rouvert',
      text: `Bonjour {{name}},

Nous avons rouvert votre versement de {{money}} pour le code {{coupon_code}}. Nous vous préviendrons dès qu’il aura été effectué.

Statut : {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} foi reaberto',
      text: `Olá, {{name}}!

Reabrimos o seu pagamento de {{money}} pelo cupom {{coupon_code}}. Avisaremos assim que for pago.

Situação: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { notice: payoutNotice, about: 'To the affiliate when a cancelled payout is opened again.' },
);
