import Type from 'typebox';
import { defineMail } from '../mail.ts';

/** For the administrators: a text with a one-time link could lead its recipients elsewhere. */
export const textChangedMail = defineMail(
  'mail-text-changed',
  {
    en: {
      subject: 'The text of a mail of {{site.name}} has changed',
      text: `{{#who}}{{who}} has changed{{/who}}{{^who}}The command line has changed{{/who}} the text of the mail "{{mail}}" ({{language}}).

This mail contains a link with which its recipient gets into an account. Please read the text:
{{site.url}}/console/mails/{{mail}}?language={{language}}

If you did not expect this, return to the built-in text and talk to the other administrators.`,
    },
    de: {
      subject: 'Der Text einer Mail von {{site.name}} wurde geändert',
      text: `{{#who}}{{who}} hat{{/who}}{{^who}}Die Befehlszeile hat{{/who}} den Text der Mail „{{mail}}“ ({{language}}) geändert.

Diese Mail enthält einen Link, mit dem ihr Empfänger in ein Konto gelangt. Bitte lesen Sie den Text:
{{site.url}}/console/mails/{{mail}}?language={{language}}

Wenn Sie das nicht erwartet haben, kehren Sie zum mitgelieferten Text zurück und sprechen Sie mit den anderen Administratoren.`,
    },
    es: {
      subject: 'El texto de un correo de {{site.name}} ha cambiado',
      text: `{{#who}}{{who}}{{/who}}{{^who}}La línea de comandos{{/who}} ha cambiado el texto del correo «{{mail}}» ({{language}}).

Este correo contiene un enlace con el que quien lo recibe entra en una cuenta. Lee el texto:
{{site.url}}/console/mails/{{mail}}?language={{language}}

Si no lo esperabas, vuelve al texto original y habla con las demás personas que administran la tienda.`,
    },
    fr: {
      subject: 'Le texte d’un e-mail de {{site.name}} a changé',
      text: `{{#who}}{{who}}{{/who}}{{^who}}La ligne de commande{{/who}} a modifié le texte de l’e-mail « {{mail}} » ({{language}}).

Cet e-mail contient un lien qui donne accès au compte de son destinataire. Veuillez relire le texte :
{{site.url}}/console/mails/{{mail}}?language={{language}}

Si vous ne vous y attendiez pas, revenez au texte d’origine et parlez-en aux autres administrateurs.`,
    },
    pt: {
      subject: 'O texto de um e-mail de {{site.name}} mudou',
      text: `{{#who}}{{who}}{{/who}}{{^who}}A linha de comando{{/who}} alterou o texto do e-mail "{{mail}}" ({{language}}).

Este e-mail contém um link com o qual quem o recebe entra em uma conta. Leia o texto:
{{site.url}}/console/mails/{{mail}}?language={{language}}

Se você não esperava por isso, volte ao texto original e fale com as outras pessoas da administração.`,
    },
  },
  Type.Object({
    mail: Type.String({ description: 'The name of the mail whose text has changed.' }),
    language: Type.String({ description: 'The language of the text.' }),
    who: Type.String({
      description: 'The name of the person that changed it; empty for the command line.',
    }),
  }),
  {
    reason: 'team',
    administratorsOnly: true,
    required: ['mail'],
    about: 'To administrators when the text of a mail with a one-time link was changed.',
  },
);
