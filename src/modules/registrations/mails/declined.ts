import Type from 'typebox';
import { defineMail } from '../../mail/index.ts';

export const declinedMail = defineMail(
  'registration-declined',
  {
    en: {
      subject: 'Your application to {{site.name}}',
      text: `Hello{{#name}} {{name}}{{/name}},

Thank you for your interest in the {{site.name}} {{affiliate}} program. Unfortunately, we can't accept your application.
{{#reason}}

{{reason}}
{{/reason}}
{{#message}}

{{message}}
{{/message}}`,
    },
    de: {
      subject: 'Ihre Bewerbung bei {{site.name}}',
      text: `Guten Tag{{#name}} {{name}}{{/name}},

vielen Dank für Ihr Interesse am {{affiliate}}-Programm von {{site.name}}. Leider können wir Ihre Bewerbung nicht annehmen.
{{#reason}}

{{reason}}
{{/reason}}
{{#message}}

{{message}}
{{/message}}`,
    },
    es: {
      subject: 'Tu solicitud para {{site.name}}',
      text: `Hola{{#name}}, {{name}}{{/name}}:

Gracias por tu interés en el programa de {{affiliates}} de {{site.name}}. Lamentablemente, no podemos aceptar tu solicitud.
{{#reason}}

{{reason}}
{{/reason}}
{{#message}}

{{message}}
{{/message}}`,
    },
    fr: {
      subject: 'Votre candidature chez {{site.name}}',
      text: `Bonjour{{#name}} {{name}}{{/name}},

Merci de l’intérêt que vous portez au programme {{affiliate}} {{site.name}}. Malheureusement, nous ne pouvons pas accepter votre candidature.
{{#reason}}

{{reason}}
{{/reason}}
{{#message}}

{{message}}
{{/message}}`,
    },
    pt: {
      subject: 'A sua inscrição em {{site.name}}',
      text: `Olá{{#name}}, {{name}}{{/name}}!

Agradecemos o seu interesse no programa de {{affiliates}} de {{site.name}}. Infelizmente, não podemos aceitar a sua inscrição.
{{#reason}}

{{reason}}
{{/reason}}
{{#message}}

{{message}}
{{/message}}`,
    },
  },
  Type.Object({
    name: Type.String(),
    reason: Type.String({
      description: 'The reason in words; empty if the mail does not give it.',
    }),
    message: Type.String({ description: 'What the team wrote to the applicant.' }),
  }),
  {
    reason: 'application',
    about: 'To an applicant who is declined.',
    required: ['reason', 'message'],
  },
);
