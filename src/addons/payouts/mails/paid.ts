import { definePayoutMail, payoutNotice } from './payout-mail.ts';

export const paidMail = definePayoutMail(
  'payout-paid',
  {
    en: {
      subject: 'Your payout of {{money}} was paid',
      text: `Hello {{name}},

We paid you {{money}} for the coupon {{coupon_code}}.{{#method}}

Paid by: {{method}}{{/method}}{{#reference}}
Reference: {{reference}}{{/reference}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} wurde überwiesen',
      text: `Guten Tag {{name}},

Wir haben Ihnen {{money}} für den Gutschein {{coupon_code}} ausgezahlt.{{#method}}

Zahlungsweg: {{method}}{{/method}}{{#reference}}
Referenz: {{reference}}{{/reference}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} se ha realizado',
      text: `Hola, {{name}}:

Te hemos pagado {{money}} por el cupón {{coupon_code}}.{{#method}}

Forma de pago: {{method}}{{/method}}{{#reference}}
Referencia: {{reference}}{{/reference}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} a été effectué',
      text: `Bonjour {{name}},

Nous vous avons versé {{money}} pour le code {{coupon_code}}.{{#method}}

Mode de versement : {{method}}{{/method}}{{#reference}}
Référence : {{reference}}{{/reference}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} foi feito',
      text: `Olá, {{name}}!

Pagamos a você {{money}} pelo cupom {{coupon_code}}.{{#method}}

Forma de pagamento: {{method}}{{/method}}{{#reference}}
Referência: {{reference}}{{/reference}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { notice: payoutNotice, about: 'To the affiliate when a payout is paid.' },
);
