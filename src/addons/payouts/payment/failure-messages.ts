import type { Language } from '../../../shared/languages.ts';
import type { finalFailures } from '../extension.ts';

/** What the affiliate reads: what happened and what to do next. */
export const failureMessages: Record<
  (typeof finalFailures)[number],
  Readonly<Record<Language, string>>
> = {
  account_unknown: {
    en: 'The payment service does not know your account. Please check your payout details, then request the payout again.',
    de: 'Der Zahlungsdienst kennt Ihr Konto nicht. Bitte prüfen Sie Ihre Auszahlungsdaten und fordern Sie die Auszahlung dann erneut an.',
    es: 'El servicio de pago no reconoce tu cuenta. Revisa tus datos de pago y vuelve a solicitar el pago.',
    fr: 'Le service de paiement ne connaît pas votre compte. Vérifiez vos coordonnées de versement, puis demandez à nouveau le versement.',
    pt: 'O serviço de pagamento não reconhece a sua conta. Verifique os seus dados de pagamento e solicite o pagamento novamente.',
  },
  account_closed: {
    en: 'Your account is closed or cannot receive payments. Please change your payout details, then request the payout again.',
    de: 'Ihr Konto ist geschlossen oder kann keine Zahlungen empfangen. Bitte ändern Sie Ihre Auszahlungsdaten und fordern Sie die Auszahlung dann erneut an.',
    es: 'Tu cuenta está cerrada o no puede recibir pagos. Cambia tus datos de pago y vuelve a solicitar el pago.',
    fr: 'Votre compte est fermé ou ne peut pas recevoir de paiements. Modifiez vos coordonnées de versement, puis demandez à nouveau le versement.',
    pt: 'A sua conta está encerrada ou não pode receber pagamentos. Altere os seus dados de pagamento e solicite o pagamento novamente.',
  },
  account_not_ready: {
    en: 'Your account cannot receive payments yet. Please finish setting it up with the payment service, then request the payout again.',
    de: 'Ihr Konto kann noch keine Zahlungen empfangen. Bitte schließen Sie die Einrichtung beim Zahlungsdienst ab und fordern Sie die Auszahlung dann erneut an.',
    es: 'Tu cuenta todavía no puede recibir pagos. Termina de configurarla en el servicio de pago y vuelve a solicitar el pago.',
    fr: 'Votre compte ne peut pas encore recevoir de paiements. Terminez sa configuration auprès du service de paiement, puis demandez à nouveau le versement.',
    pt: 'A sua conta ainda não pode receber pagamentos. Conclua a configuração no serviço de pagamento e solicite o pagamento novamente.',
  },
  not_supported: {
    en: 'Your account cannot receive this payment because of its country or currency. Please choose another account or payout method, then request the payout again.',
    de: 'Ihr Konto kann diese Zahlung wegen seines Landes oder seiner Währung nicht empfangen. Bitte wählen Sie ein anderes Konto oder einen anderen Zahlungsweg und fordern Sie die Auszahlung dann erneut an.',
    es: 'Tu cuenta no puede recibir este pago por su país o su moneda. Elige otra cuenta u otra forma de pago y vuelve a solicitar el pago.',
    fr: 'Votre compte ne peut pas recevoir ce paiement en raison de son pays ou de sa devise. Choisissez un autre compte ou un autre mode de versement, puis demandez à nouveau le versement.',
    pt: 'A sua conta não pode receber este pagamento por causa do país ou da moeda. Escolha outra conta ou outra forma de pagamento e solicite o pagamento novamente.',
  },
  receiver_limit: {
    en: 'Your account has reached its limit for receiving money. Please raise the limit or wait, then request the payout again.',
    de: 'Ihr Konto hat sein Limit für Zahlungseingänge erreicht. Bitte erhöhen Sie das Limit oder warten Sie und fordern Sie die Auszahlung dann erneut an.',
    es: 'Tu cuenta ha alcanzado su límite para recibir dinero. Aumenta el límite o espera, y vuelve a solicitar el pago.',
    fr: 'Votre compte a atteint sa limite de réception. Relevez la limite ou patientez, puis demandez à nouveau le versement.',
    pt: 'A sua conta atingiu o limite para receber dinheiro. Aumente o limite ou aguarde e solicite o pagamento novamente.',
  },
  amount_not_payable: {
    en: 'This payout method cannot pay this amount. Please choose another payout method, or request the payout again once your balance has changed.',
    de: 'Dieser Zahlungsweg kann diesen Betrag nicht auszahlen. Bitte wählen Sie einen anderen oder fordern Sie die Auszahlung erneut an, sobald sich Ihr Guthaben geändert hat.',
    es: 'Esta forma de pago no puede pagar este importe. Elige otra o vuelve a solicitar el pago cuando tu saldo haya cambiado.',
    fr: 'Ce mode de versement ne permet pas de payer ce montant. Choisissez-en un autre ou refaites la demande lorsque votre solde aura changé.',
    pt: 'Esta forma de pagamento não pode pagar este valor. Escolha outra ou solicite o pagamento novamente quando o seu saldo tiver mudado.',
  },
  returned: {
    en: 'The payment was returned. Please check your payout details, then request the payout again.',
    de: 'Die Zahlung wurde zurückgebucht. Bitte prüfen Sie Ihre Auszahlungsdaten und fordern Sie die Auszahlung dann erneut an.',
    es: 'El pago ha sido devuelto. Revisa tus datos de pago y vuelve a solicitar el pago.',
    fr: 'Le paiement a été renvoyé. Vérifiez vos coordonnées de versement, puis demandez à nouveau le versement.',
    pt: 'O pagamento foi devolvido. Verifique os seus dados de pagamento e solicite o pagamento novamente.',
  },
  suspended: {
    en: 'Your account is suspended. Please contact us.',
    de: 'Ihr Konto ist gesperrt. Bitte wenden Sie sich an uns.',
    es: 'Tu cuenta está suspendida. Ponte en contacto con nosotros.',
    fr: 'Votre compte est suspendu. Veuillez nous contacter.',
    pt: 'A sua conta está suspensa. Entre em contato conosco.',
  },
  refused: {
    en: 'The payment service refused the payment. Please check your payout details, then request the payout again. If they are correct, please contact us.',
    de: 'Der Zahlungsdienst hat die Zahlung abgelehnt. Bitte prüfen Sie Ihre Auszahlungsdaten und fordern Sie die Auszahlung dann erneut an. Sind sie richtig, wenden Sie sich bitte an uns.',
    es: 'El servicio de pago ha rechazado el pago. Revisa tus datos de pago y vuelve a solicitar el pago. Si son correctos, ponte en contacto con nosotros.',
    fr: 'Le service de paiement a refusé le paiement. Vérifiez vos coordonnées de versement, puis demandez à nouveau le versement. Si elles sont exactes, contactez-nous.',
    pt: 'O serviço de pagamento recusou o pagamento. Verifique os seus dados de pagamento e solicite o pagamento novamente. Se estiverem corretos, entre em contato conosco.',
  },
  not_paid: {
    en: "The payment could not be made. You don't need to change anything and can request the amount again.",
    de: 'Die Zahlung konnte nicht ausgeführt werden. Sie müssen nichts ändern und können den Betrag erneut anfordern.',
    es: 'El pago no se ha podido realizar. No tienes que cambiar nada y puedes volver a solicitar el importe.',
    fr: 'Le paiement n’a pas pu être effectué. Vous n’avez rien à changer et pouvez redemander ce montant.',
    pt: 'O pagamento não pôde ser feito. Você não precisa mudar nada e pode solicitar o valor novamente.',
  },
};
