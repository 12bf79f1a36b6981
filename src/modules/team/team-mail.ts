import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

export const teamChangedMail = defineMail(
  'team-changed',
  {
    en: {
      subject: 'Your access to {{site.name}} has changed',
      text: `Hello {{name}},

{{#administrator}}You are now an administrator of {{site.name}}.{{/administrator}}{{#manager}}You are now a manager of {{site.name}}.{{/manager}}{{#disabled}}Your account at {{site.name}} has been disabled. You can no longer sign in.{{/disabled}}

{{^disabled}}Please sign in again: {{site.url}}/app/login{{/disabled}}

If this is unexpected, please talk to another administrator.`,
    },
    de: {
      subject: 'Ihr Zugang zu {{site.name}} wurde geändert',
      text: `Guten Tag {{name}},

{{#administrator}}Sie gehören jetzt zur Administration von {{site.name}}.{{/administrator}}{{#manager}}Sie verwalten jetzt das Programm von {{site.name}}.{{/manager}}{{#disabled}}Ihr Konto bei {{site.name}} wurde gesperrt. Sie können sich nicht mehr anmelden.{{/disabled}}

{{^disabled}}Bitte melden Sie sich neu an: {{site.url}}/app/login{{/disabled}}

Wenn Sie das nicht erwartet haben, wenden Sie sich bitte an die Administration.`,
    },
    es: {
      subject: 'Tu acceso a {{site.name}} ha cambiado',
      text: `Hola, {{name}}:

{{#administrator}}Ahora administras {{site.name}}.{{/administrator}}{{#manager}}Ahora gestionas el programa de {{site.name}}.{{/manager}}{{#disabled}}Tu cuenta de {{site.name}} se ha desactivado. Ya no puedes iniciar sesión.{{/disabled}}

{{^disabled}}Vuelve a iniciar sesión: {{site.url}}/app/login{{/disabled}}

Si no lo esperabas, habla con otra persona que administre la tienda.`,
    },
    fr: {
      subject: 'Votre accès à {{site.name}} a changé',
      text: `Bonjour {{name}},

{{#administrator}}Vous administrez désormais {{site.name}}.{{/administrator}}{{#manager}}Vous gérez désormais le programme de {{site.name}}.{{/manager}}{{#disabled}}Votre compte {{site.name}} a été désactivé. Vous ne pouvez plus vous connecter.{{/disabled}}

{{^disabled}}Veuillez vous connecter à nouveau : {{site.url}}/app/login{{/disabled}}

Si vous ne vous y attendiez pas, adressez-vous à une autre personne de l'administration.`,
    },
    pt: {
      subject: 'O seu acesso a {{site.name}} mudou',
      text: `Olá, {{name}},

{{#administrator}}Agora você administra {{site.name}}.{{/administrator}}{{#manager}}Agora você gerencia o programa de {{site.name}}.{{/manager}}{{#disabled}}A sua conta em {{site.name}} foi desativada. Você não pode mais entrar.{{/disabled}}

{{^disabled}}Entre novamente: {{site.url}}/app/login{{/disabled}}

Se você não esperava por isso, fale com outra pessoa da administração.`,
    },
  },
  Type.Object({
    name: Type.String(),
    administrator: Type.Boolean(),
    manager: Type.Boolean(),
    disabled: Type.Boolean(),
  }),
  { about: 'To a member of the team whose role was changed.' },
);
