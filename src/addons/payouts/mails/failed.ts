import { definePayoutMail } from './payout-mail.ts';

export const failedMail = definePayoutMail(
  'payout-failed',
  {
    en: {
      subject: 'Your payout of {{money}} could not be paid',
      text: `Hello {{name}},

Your payout of {{money}} for the coupon {{coupon_code}} could not be paid. The amount is available to you again.

{{reason}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} konnte nicht überwiesen werden',
      text: `Guten Tag {{name}},

Ihre Auszahlung von {{money}} für den Gutschein {{coupon_code}} konnte nicht überwiesen werden. Der Betrag steht Ihnen wieder zur Verfügung.

{{reason}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} no se ha podido realizar',
      text: `Hola, {{name}}:

Tu pago de {{money}} por el cupón {{coupon_code}} no se ha podido realizar. El importe vuelve a estar disponible para ti.

{{reason}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} n’a pas pu être effectué',
      text: `Bonjour {{name}},

Votre versement de {{money}} pour le code {{coupon_code}} n’a pas pu être effectué. Le montant est à nouveau à votre disposition.

{{reason}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} não pôde ser feito',
      text: `Olá, {{name}}!

O seu pagamento de {{money}} pelo cupom {{coupon_code}} não pôde ser feito. O valor está novamente disponível para você.

{{reason}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { about: 'To the affiliate when a payout failed.' },
);
