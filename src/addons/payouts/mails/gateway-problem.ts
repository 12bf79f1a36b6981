import Type from 'typebox';
import { defineMail } from '../../../modules/mail/index.ts';

/** For the administrators, when the gateway does not pay for a reason on the store's side. */
export const gatewayProblemMail = defineMail(
  'payout-gateway-problem',
  {
    en: {
      subject: '{{gateway}} cannot make payouts',
      text: `{{gateway}} did not pay payout {{payout_id}} of {{money}} to {{name}}.

Reason: {{reason}}
What to do: {{remedy}}

{{#failed}}The payout has failed, and you owe {{name}} the amount again.{{/failed}}{{^failed}}Payouts by {{gateway}} are on hold. We retry them at least once an hour, and nothing is paid twice.{{/failed}} The recipients of payouts don't see this reason. We send this mail at most once an hour for as long as the problem lasts.`,
    },
    de: {
      subject: '{{gateway}} kann derzeit keine Auszahlungen vornehmen',
      text: `{{gateway}} hat die Auszahlung {{payout_id}} über {{money}} an {{name}} nicht vorgenommen.

Grund: {{reason}}
Was zu tun ist: {{remedy}}

{{#failed}}Die Auszahlung ist fehlgeschlagen; Sie schulden {{name}} den Betrag wieder.{{/failed}}{{^failed}}Auszahlungen über {{gateway}} warten. Wir versuchen es mindestens einmal pro Stunde erneut, und nichts wird doppelt gezahlt.{{/failed}} Die Empfänger der Auszahlungen sehen diesen Grund nicht. Solange das Problem besteht, senden wir diese E-Mail höchstens einmal pro Stunde.`,
    },
    es: {
      subject: '{{gateway}} no puede hacer los pagos',
      text: `{{gateway}} no ha realizado el pago {{payout_id}} de {{money}} a {{name}}.

Motivo: {{reason}}
Qué hacer: {{remedy}}

{{#failed}}El pago ha fallado y vuelves a deber el importe a {{name}}.{{/failed}}{{^failed}}Los pagos por {{gateway}} están en espera. Los reintentamos al menos una vez por hora y nada se paga dos veces.{{/failed}} Quienes reciben los pagos no ven este motivo. Mientras dure el problema, enviamos este correo como máximo una vez por hora.`,
    },
    fr: {
      subject: '{{gateway}} ne peut pas effectuer les versements',
      text: `{{gateway}} n’a pas effectué le versement {{payout_id}} de {{money}} à {{name}}.

Motif : {{reason}}
Que faire : {{remedy}}

{{#failed}}Le versement a échoué et vous devez à nouveau ce montant à {{name}}.{{/failed}}{{^failed}}Les versements par {{gateway}} sont en attente. Nous les retentons au moins une fois par heure, et rien n’est payé deux fois.{{/failed}} Les bénéficiaires des versements ne voient pas ce motif. Tant que le problème dure, nous envoyons cet e-mail au plus une fois par heure.`,
    },
    pt: {
      subject: '{{gateway}} não consegue fazer os pagamentos',
      text: `{{gateway}} não fez o pagamento {{payout_id}} de {{money}} para {{name}}.

Motivo: {{reason}}
O que fazer: {{remedy}}

{{#failed}}O pagamento falhou e você volta a dever o valor a {{name}}.{{/failed}}{{^failed}}Os pagamentos por {{gateway}} estão em espera. Tentamos novamente pelo menos uma vez por hora, e nada é pago duas vezes.{{/failed}} Quem recebe os pagamentos não vê este motivo. Enquanto o problema durar, enviamos este e-mail no máximo uma vez por hora.`,
    },
  },
  Type.Object({
    gateway: Type.String(),
    payout_id: Type.String(),
    money: Type.String({ description: 'The amount with its currency.' }),
    amount: Type.String(),
    currency: Type.String(),
    name: Type.String(),
    reason: Type.String(),
    remedy: Type.String(),
    failed: Type.String({ description: 'Empty while the payout is open.' }),
  }),
  { reason: 'team', about: 'To administrators when a gateway refuses a payout.' },
);
