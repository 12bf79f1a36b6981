import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/** Notifies a user of a key in its own name, which a thief of an open browser may have created. */
export const ownKeyMail = defineMail(
  'account-key-created',
  {
    en: {
      subject: 'A new API key for your account at {{site.name}}',
      text: `Hello {{name}},

A new API key was created for your account: {{prefix}}… {{description}}

It can read your figures and cannot change anything. If it was not you, sign in, revoke the key and change your password.`,
    },
    de: {
      subject: 'Ein neuer API-Schlüssel für Ihr Konto bei {{site.name}}',
      text: `Guten Tag {{name}},

für Ihr Konto wurde ein neuer API-Schlüssel angelegt: {{prefix}}… {{description}}

Er kann Ihre Zahlen lesen und nichts ändern. Wenn Sie das nicht waren, melden Sie sich an, widerrufen Sie den Schlüssel und ändern Sie Ihr Passwort.`,
    },
    es: {
      subject: 'Una nueva clave de API para tu cuenta en {{site.name}}',
      text: `Hola, {{name}}:

Se creó una nueva clave de API para tu cuenta: {{prefix}}… {{description}}

Puede leer tus cifras y no puede cambiar nada. Si no fuiste tú, inicia sesión, revoca la clave y cambia tu contraseña.`,
    },
    fr: {
      subject: 'Une nouvelle clé API pour votre compte {{site.name}}',
      text: `Bonjour {{name}},

Une nouvelle clé API a été créée pour votre compte : {{prefix}}… {{description}}

Elle peut lire vos chiffres et ne peut rien modifier. Si ce n’était pas vous, connectez-vous, révoquez la clé et changez votre mot de passe.`,
    },
    pt: {
      subject: 'Uma nova chave de API para a sua conta em {{site.name}}',
      text: `Olá, {{name}},

Foi criada uma nova chave de API para a sua conta: {{prefix}}… {{description}}

Ela pode ler os seus números e não pode alterar nada. Se não foi você, entre na conta, revogue a chave e altere a sua senha.`,
    },
  },
  Type.Object({ name: Type.String(), prefix: Type.String(), description: Type.String() }),
  { about: 'To a person who has created an API key.' },
);
