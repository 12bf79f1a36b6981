import { definePayoutMail } from './payout-mail.ts';

/** For the administrators, when it stays unknown whether the gateway has paid. */
export const unclearMail = definePayoutMail(
  'payout-unclear',
  {
    en: {
      subject: 'Payout {{payout_id}} of {{money}} needs your decision',
      text: `We don't know whether payout {{payout_id}} of {{money}} to {{name}} (coupon {{coupon_code}}) has been paid. {{method}} has not given a clear answer.

{{#reason}}Last answer: {{reason}}

{{/reason}}The amount stays reserved and is not paid a second time. We check with {{method}} again every hour.

Please look up the payment at {{method}}. If you find out what happened, resolve the payout: POST /svc/store/v1/payouts/{{payout_id}}/resolve with the outcome paid, created or failed.`,
    },
    de: {
      subject: 'Auszahlung {{payout_id}} über {{money}} braucht Ihre Entscheidung',
      text: `Wir wissen nicht, ob die Auszahlung {{payout_id}} über {{money}} an {{name}} (Gutschein {{coupon_code}}) erfolgt ist. {{method}} hat keine eindeutige Antwort gegeben.

{{#reason}}Letzte Antwort: {{reason}}

{{/reason}}Der Betrag bleibt reserviert und wird kein zweites Mal gezahlt. Wir fragen jede Stunde erneut bei {{method}} nach.

Bitte suchen Sie die Zahlung bei {{method}}. Sobald Sie wissen, was geschehen ist, schließen Sie die Auszahlung ab: POST /svc/store/v1/payouts/{{payout_id}}/resolve mit dem Ergebnis paid, created oder failed.`,
    },
    es: {
      subject: 'El pago {{payout_id}} de {{money}} necesita tu decisión',
      text: `No sabemos si el pago {{payout_id}} de {{money}} a {{name}} (cupón {{coupon_code}}) se ha realizado. {{method}} no ha dado una respuesta clara.

{{#reason}}Última respuesta: {{reason}}

{{/reason}}El importe sigue reservado y no se pagará dos veces. Volvemos a consultar a {{method}} cada hora.

Busca el pago en {{method}}. Cuando sepas qué ha ocurrido, resuelve el pago: POST /svc/store/v1/payouts/{{payout_id}}/resolve con el resultado paid, created o failed.`,
    },
    fr: {
      subject: 'Le versement {{payout_id}} de {{money}} attend votre décision',
      text: `Nous ne savons pas si le versement {{payout_id}} de {{money}} à {{name}} (code {{coupon_code}}) a été effectué. {{method}} n’a pas donné de réponse claire.

{{#reason}}Dernière réponse : {{reason}}

{{/reason}}Le montant reste réservé et ne sera pas versé deux fois. Nous interrogeons à nouveau {{method}} toutes les heures.

Recherchez le paiement chez {{method}}. Dès que vous savez ce qui s’est passé, clôturez le versement : POST /svc/store/v1/payouts/{{payout_id}}/resolve avec le résultat paid, created ou failed.`,
    },
    pt: {
      subject: 'O pagamento {{payout_id}} de {{money}} precisa da sua decisão',
      text: `Não sabemos se o pagamento {{payout_id}} de {{money}} para {{name}} (cupom {{coupon_code}}) foi feito. {{method}} não deu uma resposta clara.

{{#reason}}Última resposta: {{reason}}

{{/reason}}O valor continua reservado e não será pago duas vezes. Consultamos {{method}} novamente a cada hora.

Procure o pagamento em {{method}}. Quando souber o que aconteceu, resolva o pagamento: POST /svc/store/v1/payouts/{{payout_id}}/resolve com o resultado paid, created ou failed.`,
    },
  },
  { reason: 'team', about: 'To administrators when a gateway does not say whether it has paid.' },
);
