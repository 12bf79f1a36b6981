import Type from 'typebox';
import { defineMail } from '../../modules/mail/index.ts';

/** For the administrators, when a connected store has not worked for a while. */
export const storeBrokenMail = defineMail(
  'store-broken',
  {
    en: {
      subject: 'The store {{name}} needs your attention',
      text: `The connection to the store {{name}} has not worked for half an hour.

Reason: {{reason}}

We keep trying. Once the connection works again, orders that were missed in the meantime are found by themselves. You can see the state of the connection, check it and enter new credentials here:
{{site.url}}/console/stores/{{connection_id}}

You get this mail once, not again until the connection has worked in between.`,
    },
    de: {
      subject: 'Der Shop {{name}} braucht Ihre Aufmerksamkeit',
      text: `Die Verbindung zum Shop {{name}} funktioniert seit einer halben Stunde nicht.

Grund: {{reason}}

Wir versuchen es weiter. Sobald die Verbindung wieder funktioniert, werden verpasste Bestellungen von selbst gefunden. Den Zustand der Verbindung sehen Sie hier; dort können Sie sie auch prüfen und neue Zugangsdaten eingeben:
{{site.url}}/console/stores/{{connection_id}}

Sie erhalten diese E-Mail einmal und erst wieder, wenn die Verbindung zwischendurch funktioniert hat.`,
    },
    es: {
      subject: 'La tienda {{name}} necesita tu atención',
      text: `La conexión con la tienda {{name}} no funciona desde hace media hora.

Motivo: {{reason}}

Seguimos intentándolo. Cuando la conexión vuelva a funcionar, los pedidos que falten se encontrarán solos. Aquí puedes ver el estado de la conexión, comprobarla e introducir nuevas credenciales:
{{site.url}}/console/stores/{{connection_id}}

Recibes este correo una sola vez, y no de nuevo hasta que la conexión haya funcionado entretanto.`,
    },
    fr: {
      subject: 'La boutique {{name}} demande votre attention',
      text: `La connexion à la boutique {{name}} ne fonctionne plus depuis une demi-heure.

Motif : {{reason}}

Nous continuons d’essayer. Dès que la connexion fonctionnera à nouveau, les commandes manquées seront retrouvées automatiquement. Vous pouvez voir l’état de la connexion, la vérifier et saisir de nouveaux identifiants ici :
{{site.url}}/console/stores/{{connection_id}}

Vous recevez cet e-mail une seule fois, et pas de nouveau tant que la connexion n’a pas refonctionné entre-temps.`,
    },
    pt: {
      subject: 'A loja {{name}} precisa da sua atenção',
      text: `A ligação à loja {{name}} não funciona há meia hora.

Motivo: {{reason}}

Continuamos a tentar. Quando a ligação voltar a funcionar, os pedidos em falta serão encontrados automaticamente. Pode ver o estado da ligação, verificá-la e introduzir novas credenciais aqui:
{{site.url}}/console/stores/{{connection_id}}

Recebe este e-mail uma única vez, e não de novo até que a ligação tenha funcionado entretanto.`,
    },
  },
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
    reason: Type.String({ description: 'What does not work, in a sentence.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a connected store has not worked for half an hour.',
  },
);
