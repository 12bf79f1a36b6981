import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/** Mails that protect an account. They cannot be switched off. */
const Name = Type.Object({ name: Type.String() });

export const passwordChangedMail = defineMail(
  'password-changed',
  {
    en: {
      subject: 'Your password at {{site.name}} was changed',
      text: `Hello {{name}},

Your password at {{site.name}} was changed, and all other browsers were signed out.

If it was not you, choose a new password at once: {{site.url}}/app/forgot`,
    },
    de: {
      subject: 'Ihr Passwort bei {{site.name}} wurde geändert',
      text: `Guten Tag {{name}},

Ihr Passwort bei {{site.name}} wurde geändert, und alle anderen Browser wurden abgemeldet.

Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: {{site.url}}/app/forgot`,
    },
    es: {
      subject: 'Tu contraseña de {{site.name}} ha cambiado',
      text: `Hola, {{name}}:

Tu contraseña de {{site.name}} ha cambiado y se ha cerrado la sesión en los demás navegadores.

Si no has sido tú, elige enseguida una nueva contraseña: {{site.url}}/app/forgot`,
    },
    fr: {
      subject: 'Votre mot de passe {{site.name}} a été modifié',
      text: `Bonjour {{name}},

Votre mot de passe {{site.name}} a été modifié et tous les autres navigateurs ont été déconnectés.

Si ce n'était pas vous, choisissez tout de suite un nouveau mot de passe : {{site.url}}/app/forgot`,
    },
    pt: {
      subject: 'A sua senha em {{site.name}} foi alterada',
      text: `Olá, {{name}},

A sua senha em {{site.name}} foi alterada, e todos os outros navegadores foram desconectados.

Se não foi você, escolha já uma nova senha: {{site.url}}/app/forgot`,
    },
  },
  Name,
  { about: 'To a person whose password was changed.' },
);

export const addressRequestedMail = defineMail(
  'address-change-requested',
  {
    en: {
      subject: 'A new e-mail address for {{site.name}}',
      text: `Hello {{name}},

Your account at {{site.name}} is to use the address {{email}} instead of this one. The change takes effect when it is confirmed there.

If it was not you, change your password now: {{site.url}}/app/forgot`,
    },
    de: {
      subject: 'Eine neue E-Mail-Adresse für {{site.name}}',
      text: `Guten Tag {{name}},

Ihr Konto bei {{site.name}} soll statt dieser Adresse {{email}} verwenden. Die Änderung gilt, sobald sie dort bestätigt ist.

Wenn Sie das nicht waren, ändern Sie jetzt Ihr Passwort: {{site.url}}/app/forgot`,
    },
    es: {
      subject: 'Una nueva dirección de correo para {{site.name}}',
      text: `Hola, {{name}}:

Tu cuenta de {{site.name}} va a usar la dirección {{email}} en lugar de esta. El cambio vale cuando se confirme allí.

Si no has sido tú, cambia ahora tu contraseña: {{site.url}}/app/forgot`,
    },
    fr: {
      subject: 'Une nouvelle adresse e-mail pour {{site.name}}',
      text: `Bonjour {{name}},

Votre compte {{site.name}} doit utiliser l'adresse {{email}} à la place de celle-ci. Le changement prend effet dès qu'il y est confirmé.

Si ce n'était pas vous, changez votre mot de passe maintenant : {{site.url}}/app/forgot`,
    },
    pt: {
      subject: 'Um novo endereço de e-mail para {{site.name}}',
      text: `Olá, {{name}},

A sua conta em {{site.name}} passará a usar o endereço {{email}} em vez deste. A mudança vale quando for confirmada lá.

Se não foi você, mude a sua senha agora: {{site.url}}/app/forgot`,
    },
  },
  Type.Object({ name: Type.String(), email: Type.String() }),
  { about: 'To the old address when a person asks for another one.' },
);

export const addressTakenMail = defineMail(
  'address-in-use',
  {
    en: {
      subject: 'Your e-mail address at {{site.name}}',
      text: `Hello,

This address was to be used for another account at {{site.name}}. It already belongs to an account, so nothing was changed.

If it was you, sign in with this address: {{site.url}}/app/login`,
    },
    de: {
      subject: 'Ihre E-Mail-Adresse bei {{site.name}}',
      text: `Guten Tag,

jemand wollte diese Adresse für ein anderes Konto bei {{site.name}} verwenden. Sie gehört bereits zu einem Konto, deshalb wurde nichts geändert.

Wenn Sie das waren, melden Sie sich mit dieser Adresse an: {{site.url}}/app/login`,
    },
    es: {
      subject: 'Tu dirección de correo en {{site.name}}',
      text: `Hola:

Alguien quiso usar esta dirección para otra cuenta de {{site.name}}. Ya pertenece a una cuenta, así que no se ha cambiado nada.

Si has sido tú, entra con esta dirección: {{site.url}}/app/login`,
    },
    fr: {
      subject: 'Votre adresse e-mail chez {{site.name}}',
      text: `Bonjour,

Quelqu'un a voulu utiliser cette adresse pour un autre compte {{site.name}}. Elle appartient déjà à un compte, rien n'a donc été modifié.

Si c'était vous, connectez-vous avec cette adresse : {{site.url}}/app/login`,
    },
    pt: {
      subject: 'O seu endereço de e-mail em {{site.name}}',
      text: `Olá,

Alguém quis usar este endereço para outra conta em {{site.name}}. Ele já pertence a uma conta, por isso nada mudou.

Se foi você, entre com este endereço: {{site.url}}/app/login`,
    },
  },
  Type.Object({}),
  { about: 'To an address that another person wants to use although it has an account.' },
);

export const addressConfirmedMail = defineMail(
  'address-confirmed',
  {
    en: {
      subject: 'Your e-mail address at {{site.name}} was changed',
      text: `Hello {{name}},

Your account at {{site.name}} now uses the address {{email}}.

If it was not you, please let us know right away.`,
    },
    de: {
      subject: 'Ihre E-Mail-Adresse bei {{site.name}} wurde geändert',
      text: `Guten Tag {{name}},

Ihr Konto bei {{site.name}} verwendet jetzt die Adresse {{email}}.

Wenn Sie das nicht waren, melden Sie sich bitte sofort bei uns.`,
    },
    es: {
      subject: 'Tu dirección de correo en {{site.name}} ha cambiado',
      text: `Hola, {{name}}:

Tu cuenta de {{site.name}} usa ahora la dirección {{email}}.

Si no has sido tú, avísanos enseguida.`,
    },
    fr: {
      subject: 'Votre adresse e-mail chez {{site.name}} a été modifiée',
      text: `Bonjour {{name}},

Votre compte {{site.name}} utilise désormais l'adresse {{email}}.

Si ce n'était pas vous, prévenez-nous immédiatement.`,
    },
    pt: {
      subject: 'O seu endereço de e-mail em {{site.name}} foi alterado',
      text: `Olá, {{name}},

A sua conta em {{site.name}} agora usa o endereço {{email}}.

Se não foi você, avise-nos imediatamente.`,
    },
  },
  Type.Object({ name: Type.String(), email: Type.String() }),
  { about: 'To the old address after a person has confirmed another one.' },
);
