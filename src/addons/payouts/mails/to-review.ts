import { definePayoutMail, reviewNotice } from './payout-mail.ts';

/** For the administrators, when a request needs their review. */
export const toReviewMail = definePayoutMail(
  'payout-to-review',
  {
    en: {
      subject: 'Payout request to review: {{money}}',
      text: `{{name}} requested a payout of {{money}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}. Please review it.`,
    },
    de: {
      subject: 'Auszahlungsanfrage zu prüfen: {{money}}',
      text: `{{name}} hat eine Auszahlung von {{money}} für den Gutschein {{coupon_code}} angefordert{{#method}} (Zahlungsweg: {{method}}){{/method}}. Bitte prüfen Sie die Anfrage.`,
    },
    es: {
      subject: 'Solicitud de pago por revisar: {{money}}',
      text: `{{name}} ha solicitado un pago de {{money}} por el cupón {{coupon_code}}{{#method}} (forma de pago: {{method}}){{/method}}. Revísalo, por favor.`,
    },
    fr: {
      subject: 'Demande de versement à vérifier : {{money}}',
      text: `{{name}} a demandé un versement de {{money}} pour le code {{coupon_code}}{{#method}} (mode de versement : {{method}}){{/method}}. Merci de vérifier cette demande.`,
    },
    pt: {
      subject: 'Solicitação de pagamento para analisar: {{money}}',
      text: `{{name}} solicitou um pagamento de {{money}} pelo cupom {{coupon_code}}{{#method}} (forma de pagamento: {{method}}){{/method}}. Por favor, analise a solicitação.`,
    },
  },
  {
    notice: reviewNotice,
    reason: 'team',
    about: 'To administrators when a payout waits for a review.',
  },
);
