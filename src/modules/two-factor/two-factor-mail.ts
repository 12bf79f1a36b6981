import Type from 'typebox';
import { defineMail } from '../mail/index.ts';
import { twoFactorChanges, type TwoFactorChange } from './two-factor-events.ts';

/** One sentence per change; the mail contains the one of its change. */
function sentences(texts: Record<TwoFactorChange, string>): string {
  return twoFactorChanges.map((change) => `{{#${change}}}${texts[change]}{{/${change}}}`).join('');
}

export const twoFactorMail = defineMail(
  'two-factor-changed',
  {
    en: {
      subject: 'The sign-in to your {{site.name}} account has changed',
      text: `Hello {{name}},

${sentences({
  totp_added: 'An authenticator app was set up for your account.',
  totp_removed: 'The authenticator app was removed from your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  recovery_codes_renewed: 'New recovery codes were created. The previous ones no longer work.',
  recovery_code_used: 'A recovery code was used for your account. It does not work again.',
  all_removed:
    'The store has removed all second factors from your account. You can sign in with your password and set them up again.',
})}

If this was not you, change your password and let us know right away.`,
    },
    de: {
      subject: 'Die Anmeldung bei Ihrem Konto von {{site.name}} wurde geändert',
      text: `Guten Tag {{name}},

${sentences({
  totp_added: 'Für Ihr Konto wurde eine Authenticator-App eingerichtet.',
  totp_removed: 'Die Authenticator-App wurde von Ihrem Konto entfernt.',
  passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt.',
  passkey_removed: 'Von Ihrem Konto wurde ein Passkey entfernt.',
  recovery_codes_renewed:
    'Es wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
  recovery_code_used:
    'Für Ihr Konto wurde ein Wiederherstellungscode verwendet. Er gilt kein zweites Mal.',
  all_removed:
    'Der Shop hat alle zweiten Faktoren von Ihrem Konto entfernt. Sie können sich mit Ihrem Passwort anmelden und sie neu einrichten.',
})}

Wenn Sie das nicht waren, ändern Sie bitte Ihr Passwort und melden Sie sich gleich bei uns.`,
    },
    es: {
      subject: 'El acceso a tu cuenta de {{site.name}} ha cambiado',
      text: `Hola, {{name}}:

${sentences({
  totp_added: 'Se ha configurado una aplicación de autenticación en tu cuenta.',
  totp_removed: 'Se ha eliminado la aplicación de autenticación de tu cuenta.',
  passkey_added: 'Se ha añadido una llave de acceso a tu cuenta.',
  passkey_removed: 'Se ha eliminado una llave de acceso de tu cuenta.',
  recovery_codes_renewed:
    'Se han creado nuevos códigos de recuperación. Los anteriores ya no sirven.',
  recovery_code_used:
    'Se ha usado un código de recuperación de tu cuenta. No se puede usar de nuevo.',
  all_removed:
    'La tienda ha eliminado todos los segundos factores de tu cuenta. Puedes iniciar sesión con tu contraseña y configurarlos otra vez.',
})}

Si no has sido tú, cambia tu contraseña y avísanos cuanto antes.`,
    },
    fr: {
      subject: 'La connexion à votre compte {{site.name}} a changé',
      text: `Bonjour {{name}},

${sentences({
  totp_added: "Une application d'authentification a été configurée pour votre compte.",
  totp_removed: "L'application d'authentification a été retirée de votre compte.",
  passkey_added: "Une clé d'accès a été ajoutée à votre compte.",
  passkey_removed: "Une clé d'accès a été retirée de votre compte.",
  recovery_codes_renewed:
    'De nouveaux codes de secours ont été créés. Les précédents ne sont plus valables.',
  recovery_code_used: 'Un code de secours a été utilisé pour votre compte. Il ne peut plus servir.',
  all_removed:
    'La boutique a retiré tous les seconds facteurs de votre compte. Vous pouvez vous connecter avec votre mot de passe et les configurer à nouveau.',
})}

Si ce n'était pas vous, changez votre mot de passe et prévenez-nous sans attendre.`,
    },
    pt: {
      subject: 'O acesso à sua conta {{site.name}} mudou',
      text: `Olá, {{name}},

${sentences({
  totp_added: 'Um aplicativo autenticador foi configurado para a sua conta.',
  totp_removed: 'O aplicativo autenticador foi removido da sua conta.',
  passkey_added: 'Uma chave de acesso foi adicionada à sua conta.',
  passkey_removed: 'Uma chave de acesso foi removida da sua conta.',
  recovery_codes_renewed:
    'Novos códigos de recuperação foram criados. Os anteriores não funcionam mais.',
  recovery_code_used: 'Um código de recuperação foi usado na sua conta. Ele não funciona de novo.',
  all_removed:
    'A loja removeu todos os segundos fatores da sua conta. Você pode entrar com a sua senha e configurá-los novamente.',
})}

Se não foi você, troque a sua senha e avise-nos imediatamente.`,
    },
  },
  Type.Object({
    name: Type.String(),
    totp_added: Type.Optional(Type.Boolean()),
    totp_removed: Type.Optional(Type.Boolean()),
    passkey_added: Type.Optional(Type.Boolean()),
    passkey_removed: Type.Optional(Type.Boolean()),
    recovery_codes_renewed: Type.Optional(Type.Boolean()),
    recovery_code_used: Type.Optional(Type.Boolean()),
    all_removed: Type.Optional(Type.Boolean()),
  }),
  { about: 'To a person whose second factors were changed.' },
);
