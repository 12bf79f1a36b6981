import { definePayoutMail } from './payout-mail.ts';

export const reversedMail = definePayoutMail(
  'payout-reversed',
  {
    en: {
      subject: 'Your payout of {{money}} has not been paid yet',
      text: `Hello {{name}},

Your payout of {{money}} for the coupon {{coupon_code}} was marked as paid, but it has not been paid yet. We reopened it. We'll let you know once it has been paid.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} wurde noch nicht überwiesen',
      text: `Guten Tag {{name}},

Ihre Auszahlung von {{money}} für den Gutschein {{coupon_code}} war als bezahlt vermerkt, ist aber noch nicht überwiesen. Wir haben sie wieder geöffnet und informieren Sie, sobald das Geld überwiesen ist.

Status: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} aún no se ha realizado',
      text: `Hola, {{name}}:

Tu pago de {{money}} por el cupón {{coupon_code}} figuraba como pagado, pero aún no se ha realizado. Lo hemos reabierto y te avisaremos en cuanto se haya pagado.

Estado: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} n’a pas encore été effectué',
      text: `Bonjour {{name}},

Votre versement de {{money}} pour le code {{coupon_code}} était indiqué comme payé, mais il n’a pas encore été effectué. Nous l’avons rouvert et vous préviendrons dès qu’il aura été effectué.

Statut : {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} ainda não foi feito',
      text: `Olá, {{name}}!

O seu pagamento de {{money}} pelo cupom {{coupon_code}} constava como pago, mas ainda não foi feito. Nós o reabrimos e avisaremos assim que for pago.

Situação: {{state}}

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { about: 'To the affiliate when a paid payout was reversed.' },
);
