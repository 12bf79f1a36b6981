import type { Language } from '../../shared/languages.ts';

/** The statuses that a reader of a page can come across, each with a title and a sentence. */
type Status = 401 | 403 | 404 | 429 | 500 | 503;

interface ErrorWords {
  readonly statuses: Readonly<Record<Status, readonly [title: string, text: string]>>;
  /** The title for any other status. */
  readonly other: string;
  readonly frontPage: string;
  readonly quote: string;
}

/** The words of the error pages. They are not part of the web app, which may be switched off. */
export const errorWords: Readonly<Record<Language, ErrorWords>> = {
  en: {
    statuses: {
      401: ['Please sign in', 'This page is for people who have signed in.'],
      403: ['You may not see this page', 'Your account has no access to it.'],
      404: ['Page not found', 'There is nothing at this address. Perhaps the link is incomplete.'],
      429: ['Too many requests', 'That was a little fast. Please wait a minute and try again.'],
      500: ['Something went wrong', 'The fault is ours, and it has been noted. Please try again.'],
      503: ['Out of service for a moment', 'Please try again in a few seconds.'],
    },
    other: 'This did not work',
    frontPage: 'Go to the front page',
    quote: 'If you write to us about this, please mention:',
  },
  de: {
    statuses: {
      401: ['Bitte melden Sie sich an', 'Diese Seite sehen nur angemeldete Personen.'],
      403: ['Diese Seite dürfen Sie nicht sehen', 'Ihr Konto hat keinen Zugriff darauf.'],
      404: [
        'Seite nicht gefunden',
        'Unter dieser Adresse gibt es nichts. Vielleicht ist der Link unvollständig.',
      ],
      429: [
        'Zu viele Anfragen',
        'Das war etwas schnell. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
      ],
      500: [
        'Etwas ist schiefgegangen',
        'Der Fehler liegt bei uns und ist vermerkt. Bitte versuchen Sie es noch einmal.',
      ],
      503: [
        'Für einen Moment außer Betrieb',
        'Bitte versuchen Sie es in einigen Sekunden noch einmal.',
      ],
    },
    other: 'Das hat nicht geklappt',
    frontPage: 'Zur Startseite',
    quote: 'Wenn Sie uns deswegen schreiben, nennen Sie bitte:',
  },
  es: {
    statuses: {
      401: ['Inicia sesión', 'Esta página es solo para quienes han iniciado sesión.'],
      403: ['No puedes ver esta página', 'Tu cuenta no tiene acceso a ella.'],
      404: [
        'Página no encontrada',
        'No hay nada en esta dirección. Quizá el enlace esté incompleto.',
      ],
      429: [
        'Demasiadas solicitudes',
        'Has ido un poco rápido. Espera un minuto y vuelve a intentarlo.',
      ],
      500: ['Algo ha fallado', 'El fallo es nuestro y ha quedado anotado. Vuelve a intentarlo.'],
      503: ['Fuera de servicio por un momento', 'Vuelve a intentarlo dentro de unos segundos.'],
    },
    other: 'No ha funcionado',
    frontPage: 'Ir a la página principal',
    quote: 'Si nos escribes por esto, indica:',
  },
  fr: {
    statuses: {
      401: ['Veuillez vous connecter', 'Cette page est réservée aux personnes connectées.'],
      403: ['Vous ne pouvez pas voir cette page', 'Votre compte n’y a pas accès.'],
      404: ['Page introuvable', 'Il n’y a rien à cette adresse. Le lien est peut-être incomplet.'],
      429: [
        'Trop de demandes',
        'C’était un peu rapide. Veuillez patienter une minute, puis réessayer.',
      ],
      500: [
        'Une erreur est survenue',
        'L’erreur vient de nous et a été enregistrée. Veuillez réessayer.',
      ],
      503: ['Hors service pour un instant', 'Veuillez réessayer dans quelques secondes.'],
    },
    other: 'Cela n’a pas fonctionné',
    frontPage: 'Aller à la page d’accueil',
    quote: 'Si vous nous écrivez à ce sujet, veuillez indiquer :',
  },
  pt: {
    statuses: {
      401: ['Entre na sua conta', 'Esta página é só para quem entrou na conta.'],
      403: ['Você não pode ver esta página', 'A sua conta não tem acesso a ela.'],
      404: [
        'Página não encontrada',
        'Não há nada neste endereço. Talvez o link esteja incompleto.',
      ],
      429: ['Solicitações demais', 'Foi um pouco rápido. Aguarde um minuto e tente novamente.'],
      500: ['Algo deu errado', 'O erro é nosso e ficou registrado. Tente novamente.'],
      503: ['Fora de serviço por um momento', 'Tente novamente em alguns segundos.'],
    },
    other: 'Isto não funcionou',
    frontPage: 'Ir para a página inicial',
    quote: 'Se você nos escrever sobre isto, informe:',
  },
};

export function isDescribed(status: number): status is Status {
  return status in errorWords.en.statuses;
}
