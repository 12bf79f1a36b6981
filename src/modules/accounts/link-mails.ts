import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

const Name = Type.Object({ name: Type.String() });

export const invitationMail = defineMail(
  'account-invitation',
  {
    en: {
      subject: 'Your access to {{site.name}}',
      text: `Hello {{name}},

An account at {{site.name}} is ready for you. Choose a password to sign in for the first time:

{{link}}

The link works once and for seven days. Your login is {{login}}.`,
      action: 'Choose your password',
    },
    de: {
      subject: 'Ihr Zugang zu {{site.name}}',
      text: `Guten Tag {{name}},

ein Konto bei {{site.name}} ist für Sie eingerichtet. Wählen Sie ein Passwort, um sich zum ersten Mal anzumelden:

{{link}}

Der Link gilt einmal und sieben Tage lang. Ihr Anmeldename ist {{login}}.`,
      action: 'Passwort festlegen',
    },
    es: {
      subject: 'Tu acceso a {{site.name}}',
      text: `Hola, {{name}}:

Tu cuenta en {{site.name}} está lista. Elige una contraseña para entrar por primera vez:

{{link}}

El enlace funciona una sola vez y durante siete días. Tu nombre de usuario es {{login}}.`,
      action: 'Elegir contraseña',
    },
    fr: {
      subject: 'Votre accès à {{site.name}}',
      text: `Bonjour {{name}},

Un compte {{site.name}} est prêt pour vous. Choisissez un mot de passe pour vous connecter la première fois :

{{link}}

Le lien fonctionne une seule fois, pendant sept jours. Votre identifiant est {{login}}.`,
      action: 'Choisir mon mot de passe',
    },
    pt: {
      subject: 'O seu acesso a {{site.name}}',
      text: `Olá, {{name}},

A sua conta em {{site.name}} está pronta. Escolha uma senha para entrar pela primeira vez:

{{link}}

O link funciona uma única vez e por sete dias. O seu nome de usuário é {{login}}.`,
      action: 'Escolher senha',
    },
  },
  Type.Object({ name: Type.String(), login: Type.String() }),
  { about: 'To a new affiliate or member of the team, with the link to choose a password.' },
);

export const resetMail = defineMail(
  'password-reset',
  {
    en: {
      subject: 'Choose a new password for {{site.name}}',
      text: `Hello {{name}},

A new password was requested for your account at {{site.name}}. Choose one here:

{{link}}

The link works once and for one hour. If it was not you, ignore this email: your password stays as it is.`,
      action: 'Choose a new password',
    },
    de: {
      subject: 'Neues Passwort für {{site.name}}',
      text: `Guten Tag {{name}},

für Ihr Konto bei {{site.name}} wurde ein neues Passwort angefordert. Wählen Sie es hier:

{{link}}

Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.`,
      action: 'Neues Passwort festlegen',
    },
    es: {
      subject: 'Elige una nueva contraseña para {{site.name}}',
      text: `Hola, {{name}}:

Alguien ha pedido una nueva contraseña para tu cuenta de {{site.name}}. Elígela aquí:

{{link}}

El enlace funciona una sola vez y durante una hora. Si no has sido tú, ignora este mensaje: tu contraseña no cambia.`,
      action: 'Elegir nueva contraseña',
    },
    fr: {
      subject: 'Choisissez un nouveau mot de passe pour {{site.name}}',
      text: `Bonjour {{name}},

Un nouveau mot de passe a été demandé pour votre compte {{site.name}}. Choisissez-le ici :

{{link}}

Le lien fonctionne une seule fois, pendant une heure. Si ce n'était pas vous, ignorez ce message : votre mot de passe reste le même.`,
      action: 'Choisir un nouveau mot de passe',
    },
    pt: {
      subject: 'Escolha uma nova senha para {{site.name}}',
      text: `Olá, {{name}},

Alguém pediu uma nova senha para a sua conta em {{site.name}}. Escolha-a aqui:

{{link}}

O link funciona uma única vez e por uma hora. Se não foi você, ignore este e-mail: a sua senha continua a mesma.`,
      action: 'Escolher nova senha',
    },
  },
  Name,
  { about: 'To a person who has forgotten the password, with the link to choose a new one.' },
);

export const signInMail = defineMail(
  'sign-in-link',
  {
    en: {
      subject: 'Sign in to {{site.name}}',
      text: `Hello {{name}},

Sign in to {{site.name}} with this link:

{{link}}

The link works once and for 15 minutes. If it was not you, ignore this email: without the link no one can sign in.`,
      action: 'Sign in',
    },
    de: {
      subject: 'Anmelden bei {{site.name}}',
      text: `Guten Tag {{name}},

melden Sie sich mit diesem Link bei {{site.name}} an:

{{link}}

Der Link gilt einmal und 15 Minuten lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Link kann sich niemand anmelden.`,
      action: 'Anmelden',
    },
    es: {
      subject: 'Entra en {{site.name}}',
      text: `Hola, {{name}}:

Entra en {{site.name}} con este enlace:

{{link}}

El enlace funciona una sola vez y durante 15 minutos. Si no has sido tú, ignora este mensaje: nadie puede entrar sin el enlace.`,
      action: 'Entrar',
    },
    fr: {
      subject: 'Connexion à {{site.name}}',
      text: `Bonjour {{name}},

Connectez-vous à {{site.name}} avec ce lien :

{{link}}

Le lien fonctionne une seule fois, pendant 15 minutes. Si ce n'était pas vous, ignorez ce message : personne ne peut se connecter sans le lien.`,
      action: 'Me connecter',
    },
    pt: {
      subject: 'Entrar em {{site.name}}',
      text: `Olá, {{name}},

Entre em {{site.name}} com este link:

{{link}}

O link funciona uma única vez e por 15 minutos. Se não foi você, ignore este e-mail: ninguém pode entrar sem o link.`,
      action: 'Entrar',
    },
  },
  Name,
  { about: 'To a person who asked to sign in by mail, with the link.' },
);

/** Contains nothing that the user entered: anyone with an account can send this mail to any address. */
export const confirmAddressMail = defineMail(
  'address-confirmation',
  {
    en: {
      subject: 'Confirm your e-mail address for {{site.name}}',
      text: `Hello,

Confirm that emails from {{site.name}} should come to this address:

{{link}}

The link works once and for one day. If you do not have an account there, ignore this email.`,
      action: 'Confirm this address',
    },
    de: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {{site.name}}',
      text: `Guten Tag,

bestätigen Sie, dass E-Mails von {{site.name}} an diese Adresse gehen sollen:

{{link}}

Der Link gilt einmal und einen Tag lang. Wenn Sie dort kein Konto haben, ignorieren Sie diese E-Mail.`,
      action: 'Adresse bestätigen',
    },
    es: {
      subject: 'Confirma tu dirección de correo para {{site.name}}',
      text: `Hola:

Confirma que los mensajes de {{site.name}} deben llegar a esta dirección:

{{link}}

El enlace funciona una sola vez y durante un día. Si no tienes una cuenta allí, ignora este mensaje.`,
      action: 'Confirmar dirección',
    },
    fr: {
      subject: 'Confirmez votre adresse e-mail pour {{site.name}}',
      text: `Bonjour,

Confirmez que les messages de {{site.name}} doivent arriver à cette adresse :

{{link}}

Le lien fonctionne une seule fois, pendant un jour. Si vous n'y avez pas de compte, ignorez ce message.`,
      action: 'Confirmer cette adresse',
    },
    pt: {
      subject: 'Confirme o seu endereço de e-mail para {{site.name}}',
      text: `Olá,

Confirme que os e-mails de {{site.name}} devem chegar a este endereço:

{{link}}

O link funciona uma única vez e por um dia. Se você não tem uma conta lá, ignore este e-mail.`,
      action: 'Confirmar endereço',
    },
  },
  Type.Object({}),
  { about: 'To a new e-mail address, with the link to confirm it.' },
);
