import { definePayoutMail, payoutNotice } from './payout-mail.ts';

export const createdMail = definePayoutMail(
  'payout-created',
  {
    en: {
      subject: 'Your payout of {{money}} was approved',
      text: `Hello {{name}},

Your payout of {{money}} for the coupon {{coupon_code}} was approved and is on its way. We'll let you know once it has been paid.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'See your payouts',
    },
    de: {
      subject: 'Ihre Auszahlung von {{money}} wurde freigegeben',
      text: `Guten Tag {{name}},

Ihre Auszahlung von {{money}} für den Gutschein {{coupon_code}} wurde freigegeben und ist unterwegs. Wir informieren Sie, sobald das Geld überwiesen ist.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Auszahlungen ansehen',
    },
    es: {
      subject: 'Tu pago de {{money}} ha sido aprobado',
      text: `Hola, {{name}}:

Tu pago de {{money}} por el cupón {{coupon_code}} ha sido aprobado y está en camino. Te avisaremos en cuanto se haya pagado.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver mis pagos',
    },
    fr: {
      subject: 'Votre versement de {{money}} a été approuvé',
      text: `Bonjour {{name}},

Votre versement de {{money}} pour le code {{coupon_code}} a été approuvé et est en cours. Nous vous préviendrons dès qu’il aura été effectué.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Voir mes versements',
    },
    pt: {
      subject: 'O seu pagamento de {{money}} foi aprovado',
      text: `Olá, {{name}}!

O seu pagamento de {{money}} pelo cupom {{coupon_code}} foi aprovado e está a caminho. Avisaremos assim que for pago.

{{#site.portal_url}}
{{site.portal_url}}/money
{{/site.portal_url}}`,
      action: 'Ver os meus pagamentos',
    },
  },
  { notice: payoutNotice, about: 'To the affiliate when a payout is approved.' },
);
