import type { Language } from '../../shared/languages.ts';

/** Why a recipient gets a mail: it applied, it has an account, or it manages the program. */
export type MailReason = 'application' | 'account' | 'team';

/** Mustache templates of the last lines of every mail. */
export const footers: Record<Language, Record<MailReason | 'notices', string>> = {
  en: {
    application:
      'You are getting this email because this address was used to apply to the {{site.name}} {{affiliate}} program.',
    account:
      'You are getting this email because you have an account with the {{site.name}} {{affiliate}} program.',
    team: 'You are getting this email because you manage the {{site.name}} {{affiliate}} program.',
    notices: 'Choose which emails you get:',
  },
  de: {
    application:
      'Sie erhalten diese E-Mail, weil mit dieser Adresse eine Bewerbung für das {{affiliate}}-Programm von {{site.name}} eingegangen ist.',
    account:
      'Sie erhalten diese E-Mail, weil Sie ein Konto im {{affiliate}}-Programm von {{site.name}} haben.',
    team: 'Sie erhalten diese E-Mail, weil Sie das {{affiliate}}-Programm von {{site.name}} verwalten.',
    notices: 'Hier wählen Sie, welche E-Mails Sie erhalten:',
  },
  es: {
    application:
      'Recibes este correo porque con esta dirección se ha enviado una solicitud al programa de {{affiliates}} de {{site.name}}.',
    account:
      'Recibes este correo porque tienes una cuenta en el programa de {{affiliates}} de {{site.name}}.',
    team: 'Recibes este correo porque gestionas el programa de {{affiliates}} de {{site.name}}.',
    notices: 'Elige qué correos quieres recibir:',
  },
  fr: {
    application:
      'Vous recevez cet e-mail parce qu’une candidature au programme {{affiliate}} {{site.name}} a été envoyée avec cette adresse.',
    account:
      'Vous recevez cet e-mail parce que vous avez un compte dans le programme {{affiliate}} {{site.name}}.',
    team: 'Vous recevez cet e-mail parce que vous gérez le programme {{affiliate}} {{site.name}}.',
    notices: 'Choisissez les e-mails que vous recevez :',
  },
  pt: {
    application:
      'Você recebeu este e-mail porque este endereço foi usado em uma inscrição no programa de {{affiliates}} de {{site.name}}.',
    account:
      'Você recebeu este e-mail porque tem uma conta no programa de {{affiliates}} de {{site.name}}.',
    team: 'Você recebeu este e-mail porque administra o programa de {{affiliates}} de {{site.name}}.',
    notices: 'Escolha quais e-mails você recebe:',
  },
};
