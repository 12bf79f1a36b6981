import { definePayoutMail } from './payout-mail.ts';

export const cancelledMail = definePayoutMail(
  'payout-cancelled',
  {
    en: {
      subject: 'Your payout of {{money}} was cancelled',
      text: `Hello {{name}},

Your payout of {{money}} for the coupon {{coupon_code}} was cancelled. The amount is available to you again.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} wurde storniert',
      text: `Guten Tag {{name}},

Ihre Auszahlung von {{money}} für den Gutschein {{coupon_code}} wurde storniert. Der Betrag steht Ihnen wieder zur Verfügung.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} se ha cancelado',
      text: `Hola, {{name}}:

Tu pago de {{money}} por el cupón {{coupon_code}} se ha cancelado. El importe vuelve a estar disponible para ti.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} a été annulé',
      text: `Bonjour {{name}},

Votre versement de {{money}} pour le code {{coupon_code}} a été annulé. Le montant est à nouveau à votre disposition.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} foi cancelado',
      text: `Olá, {{name}}!

O seu pagamento de {{money}} pelo cupom {{coupon_code}} foi cancelado. O valor está novamente disponível para você.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { about: 'To the affiliate when a payout was cancelled.' },
);
