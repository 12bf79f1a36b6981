import type { Language } from '../../../shared/languages.ts';
import type { DeclineReason } from '../tables.ts';

/** What the mail says to the applicant. */
const sentences: Record<Language, Record<DeclineReason, string>> = {
  en: {
    incomplete: "Your application didn't tell us enough to decide. You're welcome to apply again.",
    not_a_fit: "What you do doesn't fit our products well enough.",
    small_audience: 'At the moment we look for people with a larger audience.',
    content: "Your content doesn't meet the rules of our program.",
    duplicate: 'We already have an application or an account of yours.',
    full: 'Our program takes no new members at the moment.',
    other: 'Thank you for your understanding.',
  },
  de: {
    incomplete:
      'Ihre Bewerbung enthielt zu wenige Angaben für eine Entscheidung. Sie können sich gern noch einmal bewerben.',
    not_a_fit: 'Ihr Angebot passt nicht gut genug zu unseren Produkten.',
    small_audience: 'Derzeit suchen wir Menschen mit einer größeren Reichweite.',
    content: 'Ihre Inhalte entsprechen nicht den Regeln unseres Programms.',
    duplicate: 'Uns liegt bereits eine Bewerbung oder ein Konto von Ihnen vor.',
    full: 'Unser Programm nimmt derzeit keine neuen Mitglieder auf.',
    other: 'Wir bitten um Ihr Verständnis.',
  },
  es: {
    incomplete:
      'Tu solicitud no incluía información suficiente para decidir. Puedes volver a enviarla cuando quieras.',
    not_a_fit: 'Lo que haces no encaja lo suficiente con nuestros productos.',
    small_audience: 'En este momento buscamos personas con una audiencia mayor.',
    content: 'Tus contenidos no cumplen las normas de nuestro programa.',
    duplicate: 'Ya tenemos una solicitud o una cuenta tuya.',
    full: 'En este momento nuestro programa no admite nuevos miembros.',
    other: 'Gracias por tu comprensión.',
  },
  fr: {
    incomplete:
      'Votre candidature ne contenait pas assez d’informations pour décider. Vous pouvez postuler à nouveau.',
    not_a_fit: 'Votre activité ne correspond pas assez à nos produits.',
    small_audience: 'Nous cherchons actuellement des personnes ayant une audience plus large.',
    content: 'Vos contenus ne respectent pas les règles de notre programme.',
    duplicate: 'Nous avons déjà une candidature ou un compte à votre nom.',
    full: 'Notre programme n’accepte pas de nouveaux membres pour le moment.',
    other: 'Merci de votre compréhension.',
  },
  pt: {
    incomplete:
      'A sua inscrição não tinha informações suficientes para decidirmos. Você pode se inscrever novamente.',
    not_a_fit: 'O que você faz não combina o suficiente com os nossos produtos.',
    small_audience: 'No momento procuramos pessoas com um público maior.',
    content: 'O seu conteúdo não cumpre as regras do nosso programa.',
    duplicate: 'Já temos uma inscrição ou uma conta sua.',
    full: 'No momento o nosso programa não aceita novos membros.',
    other: 'Agradecemos a sua compreensão.',
  },
};

export function reasonIn(language: Language, reason: DeclineReason): string {
  return sentences[language][reason];
}
