import Type from 'typebox';
import { defineMail } from '../../modules/mail/index.ts';

/** For the administrators, when a store that was reported to them works again. */
export const storeRecoveredMail = defineMail(
  'store-recovered',
  {
    en: {
      subject: 'The store {{name}} works again',
      text: `The connection to the store {{name}} works again. You need to do nothing.

Orders that were missed in the meantime are found by themselves, and earn what they would have earned. You can see the state of the connection here:
{{site.url}}/console/stores/{{connection_id}}

We wrote to you because we wrote to you that it did not work.`,
    },
    de: {
      subject: 'Der Shop {{name}} funktioniert wieder',
      text: `Die Verbindung zum Shop {{name}} funktioniert wieder. Sie müssen nichts tun.

Bestellungen, die in der Zwischenzeit verpasst wurden, werden von selbst gefunden und bringen die Provision, die sie sonst gebracht hätten. Den Zustand der Verbindung sehen Sie hier:
{{site.url}}/console/stores/{{connection_id}}

Wir schreiben Ihnen, weil wir Ihnen gemeldet haben, dass sie nicht funktionierte.`,
    },
    es: {
      subject: 'La tienda {{name}} vuelve a funcionar',
      text: `La conexión con la tienda {{name}} vuelve a funcionar. No tienes que hacer nada.

Los pedidos que faltaban se encuentran solos y generan la comisión que habrían generado. Aquí puedes ver el estado de la conexión:
{{site.url}}/console/stores/{{connection_id}}

Te escribimos porque te avisamos de que no funcionaba.`,
    },
    fr: {
      subject: 'La boutique {{name}} fonctionne à nouveau',
      text: `La connexion à la boutique {{name}} fonctionne à nouveau. Vous n’avez rien à faire.

Les commandes manquées entre-temps sont retrouvées automatiquement et rapportent ce qu’elles auraient rapporté. Vous pouvez voir l’état de la connexion ici :
{{site.url}}/console/stores/{{connection_id}}

Nous vous écrivons parce que nous vous avions signalé qu’elle ne fonctionnait pas.`,
    },
    pt: {
      subject: 'A loja {{name}} voltou a funcionar',
      text: `A ligação à loja {{name}} voltou a funcionar. Não precisa de fazer nada.

Os pedidos em falta são encontrados automaticamente e rendem o que teriam rendido. Pode ver o estado da ligação aqui:
{{site.url}}/console/stores/{{connection_id}}

Escrevemos-lhe porque o avisámos de que não funcionava.`,
    },
  },
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a store that was reported to them works again.',
  },
);
