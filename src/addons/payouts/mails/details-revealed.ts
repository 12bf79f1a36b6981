import Type from 'typebox';
import { defineMail } from '../../../modules/mail/index.ts';

export const detailsRevealedMail = defineMail(
  'payout-details-revealed',
  {
    en: {
      subject: 'Your payout details were viewed',
      text: `Hello {{name}},

A manager of the {{site.name}} {{affiliate}} program viewed the full details of the account we pay you to. This happens when a payout is paid by hand. You don't need to do anything.`,
    },
    de: {
      subject: 'Ihre Auszahlungsdaten wurden eingesehen',
      text: `Guten Tag {{name}},

Für das {{affiliate}}-Programm von {{site.name}} wurden die vollständigen Angaben zu dem Konto eingesehen, auf das wir Sie auszahlen. Das geschieht, wenn eine Auszahlung von Hand überwiesen wird. Sie müssen nichts tun.`,
    },
    es: {
      subject: 'Se han consultado tus datos de pago',
      text: `Hola, {{name}}:

Una persona que gestiona el programa de {{affiliates}} de {{site.name}} ha consultado los datos completos de la cuenta en la que te pagamos. Ocurre cuando un pago se hace a mano. No tienes que hacer nada.`,
    },
    fr: {
      subject: 'Vos coordonnées de versement ont été consultées',
      text: `Bonjour {{name}},

Une personne qui gère le programme {{affiliate}} {{site.name}} a consulté les coordonnées complètes du compte sur lequel nous vous payons. Cela arrive lorsqu’un versement est effectué à la main. Vous n’avez rien à faire.`,
    },
    pt: {
      subject: 'Os seus dados de pagamento foram consultados',
      text: `Olá, {{name}}!

Uma pessoa que administra o programa de {{affiliates}} de {{site.name}} consultou os dados completos da conta em que pagamos a você. Isso acontece quando um pagamento é feito manualmente. Você não precisa fazer nada.`,
    },
  },
  Type.Object({ name: Type.String() }),
  { about: 'To the affiliate when an administrator has looked at the payout details.' },
);
