import Type from 'typebox';
import { defineMail } from '../../mail/index.ts';

/**
 * Contains nothing that the applicant entered: anyone can trigger this mail to any address, and it
 * must not be usable to send text of their choice.
 */
export const receivedMail = defineMail(
  'registration-received',
  {
    en: {
      subject: 'We received your application to {{site.name}}',
      text: `Hello,

Thank you for applying to the {{site.name}} {{affiliate}} program. We'll review your application and email you our decision.

{{#link}}
{{link}}

{{/link}}
If you didn't apply, you can ignore this email.`,
      action: 'See the status of your application',
    },
    de: {
      subject: 'Ihre Bewerbung bei {{site.name}} ist eingegangen',
      text: `Guten Tag,

vielen Dank für Ihre Bewerbung für das {{affiliate}}-Programm von {{site.name}}. Wir prüfen sie und teilen Ihnen unsere Entscheidung per E-Mail mit.

{{#link}}
{{link}}

{{/link}}
Wenn Sie sich nicht beworben haben, können Sie diese E-Mail ignorieren.`,
      action: 'Stand der Bewerbung ansehen',
    },
    es: {
      subject: 'Hemos recibido tu solicitud para {{site.name}}',
      text: `Hola:

Gracias por tu solicitud para el programa de {{affiliates}} de {{site.name}}. La revisaremos y te comunicaremos nuestra decisión por correo.

{{#link}}
{{link}}

{{/link}}
Si no has enviado ninguna solicitud, puedes ignorar este correo.`,
      action: 'Ver el estado de mi solicitud',
    },
    fr: {
      subject: 'Nous avons reçu votre candidature chez {{site.name}}',
      text: `Bonjour,

Merci pour votre candidature au programme {{affiliate}} {{site.name}}. Nous allons l’examiner et vous communiquer notre décision par e-mail.

{{#link}}
{{link}}

{{/link}}
Si vous n’avez pas envoyé de candidature, vous pouvez ignorer cet e-mail.`,
      action: 'Suivre ma candidature',
    },
    pt: {
      subject: 'Recebemos a sua inscrição em {{site.name}}',
      text: `Olá!

Agradecemos a sua inscrição no programa de {{affiliates}} de {{site.name}}. Vamos analisá-la e comunicar a nossa decisão por e-mail.

{{#link}}
{{link}}

{{/link}}
Se você não se inscreveu, pode ignorar este e-mail.`,
      action: 'Acompanhar a minha inscrição',
    },
  },
  Type.Object({}),
  { reason: 'application', about: 'To an applicant after the application.' },
);
