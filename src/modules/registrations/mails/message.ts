import Type from 'typebox';
import { defineMail } from '../../mail/index.ts';

/** A message that an admin wrote. The link leads to the page with the status of the application. */
export const messageMail = defineMail(
  'registration-message',
  {
    en: {
      subject: 'About your application to {{site.name}}',
      text: `Hello{{#name}} {{name}}{{/name}},

{{message}}

You can simply reply to this email.
{{#link}}

{{link}}
{{/link}}`,
      action: 'See the status of your application',
    },
    de: {
      subject: 'Zu Ihrer Bewerbung bei {{site.name}}',
      text: `Guten Tag{{#name}} {{name}}{{/name}},

{{message}}

Sie können einfach auf diese E-Mail antworten.
{{#link}}

{{link}}
{{/link}}`,
      action: 'Stand der Bewerbung ansehen',
    },
    es: {
      subject: 'Sobre tu solicitud para {{site.name}}',
      text: `Hola{{#name}}, {{name}}{{/name}}:

{{message}}

Puedes responder directamente a este correo.
{{#link}}

{{link}}
{{/link}}`,
      action: 'Ver el estado de mi solicitud',
    },
    fr: {
      subject: 'À propos de votre candidature chez {{site.name}}',
      text: `Bonjour{{#name}} {{name}}{{/name}},

{{message}}

Vous pouvez répondre directement à cet e-mail.
{{#link}}

{{link}}
{{/link}}`,
      action: 'Suivre ma candidature',
    },
    pt: {
      subject: 'Sobre a sua inscrição em {{site.name}}',
      text: `Olá{{#name}}, {{name}}{{/name}}!

{{message}}

Você pode responder diretamente a este e-mail.
{{#link}}

{{link}}
{{/link}}`,
      action: 'Acompanhar a minha inscrição',
    },
  },
  Type.Object({
    name: Type.String(),
    message: Type.String({ description: 'What the team wrote to the applicant.' }),
  }),
  {
    reason: 'application',
    about: 'To an applicant when the team writes a message.',
    required: ['message'],
  },
);
