import type { Language } from '../../../shared/languages.ts';
import type { StoreFailure } from '../extension.ts';

/**
 * What an administrator has to do. A gateway that is unreachable for a moment needs no action: the follow-up job
 * asks again, and if that does not help, `notifyUnclear` sends a mail.
 */
export const remedies: Partial<
  Record<StoreFailure, (gateway: string) => Readonly<Record<Language, string>>>
> = {
  credentials: (gateway) => ({
    en: `Check the ${gateway} credentials in the settings. New credentials are used immediately.`,
    de: `Prüfen Sie die Zugangsdaten für ${gateway} in den Einstellungen. Neue Zugangsdaten gelten sofort.`,
    es: `Revisa las credenciales de ${gateway} en la configuración. Las nuevas se usan de inmediato.`,
    fr: `Vérifiez les identifiants ${gateway} dans les réglages. Les nouveaux sont utilisés immédiatement.`,
    pt: `Verifique as credenciais de ${gateway} nas configurações. As novas são usadas imediatamente.`,
  }),
  not_permitted: (gateway) => ({
    en: `The credentials are valid but may not make payouts. Allow payouts at ${gateway}, or use other credentials.`,
    de: `Die Zugangsdaten sind gültig, dürfen aber keine Auszahlungen vornehmen. Erlauben Sie Auszahlungen bei ${gateway} oder verwenden Sie andere Zugangsdaten.`,
    es: `Las credenciales son válidas, pero no permiten hacer pagos. Autoriza los pagos en ${gateway} o usa otras credenciales.`,
    fr: `Les identifiants sont valides mais n’autorisent pas les versements. Autorisez-les chez ${gateway} ou utilisez d’autres identifiants.`,
    pt: `As credenciais são válidas, mas não permitem fazer pagamentos. Autorize os pagamentos em ${gateway} ou use outras credenciais.`,
  }),
  balance: (gateway) => ({
    en: `Add money to your ${gateway} balance.`,
    de: `Laden Sie Ihr Guthaben bei ${gateway} auf.`,
    es: `Añade dinero a tu saldo de ${gateway}.`,
    fr: `Alimentez votre solde ${gateway}.`,
    pt: `Adicione dinheiro ao seu saldo em ${gateway}.`,
  }),
  account_limited: (gateway) => ({
    en: `Sign in to ${gateway}: your account there is limited or needs to be verified.`,
    de: `Melden Sie sich bei ${gateway} an: Ihr Konto dort ist eingeschränkt oder muss bestätigt werden.`,
    es: `Inicia sesión en ${gateway}: tu cuenta está limitada o debe verificarse.`,
    fr: `Connectez-vous à ${gateway} : votre compte y est limité ou doit être vérifié.`,
    pt: `Entre em ${gateway}: a sua conta lá está limitada ou precisa ser verificada.`,
  }),
  not_set_up: (gateway) => ({
    en: `Enter the ${gateway} credentials in the settings again.`,
    de: `Geben Sie die Zugangsdaten für ${gateway} in den Einstellungen erneut ein.`,
    es: `Vuelve a introducir las credenciales de ${gateway} en la configuración.`,
    fr: `Saisissez à nouveau les identifiants ${gateway} dans les réglages.`,
    pt: `Informe novamente as credenciais de ${gateway} nas configurações.`,
  }),
};
