import type { Language } from '../../../shared/languages.ts';
import type { PayoutStatus } from '../payout-status.ts';
import type { PayoutRow } from '../payout-store.ts';

type Translations = Readonly<Record<Language, string>>;

/** How mails name the statuses. */
export const statusWords: Record<PayoutStatus, Translations> = {
  pending: {
    en: 'In review',
    de: 'Wird geprüft',
    es: 'En revisión',
    fr: 'En cours de vérification',
    pt: 'Em análise',
  },
  created: {
    en: 'Approved, being paid',
    de: 'Freigegeben, wird überwiesen',
    es: 'Aprobado, en proceso de pago',
    fr: 'Approuvé, versement en cours',
    pt: 'Aprovado, sendo pago',
  },
  processing: {
    en: 'Being processed',
    de: 'In Bearbeitung',
    es: 'En proceso',
    fr: 'En cours de traitement',
    pt: 'Em processamento',
  },
  paid: {
    en: 'Paid',
    de: 'Bezahlt',
    es: 'Pagado',
    fr: 'Payé',
    pt: 'Pago',
  },
  failed: {
    en: 'Failed',
    de: 'Fehlgeschlagen',
    es: 'Fallido',
    fr: 'Échoué',
    pt: 'Falhou',
  },
  cancel: {
    en: 'Cancelled',
    de: 'Storniert',
    es: 'Cancelado',
    fr: 'Annulé',
    pt: 'Cancelado',
  },
};

/** Methods that are not brands. */
const methodWords: Readonly<Record<string, Translations>> = {
  banktransfer: {
    en: 'Bank transfer',
    de: 'Banküberweisung',
    es: 'Transferencia bancaria',
    fr: 'Virement bancaire',
    pt: 'Transferência bancária',
  },
  credit: {
    en: 'Store credit',
    de: 'Guthaben im Shop',
    es: 'Saldo en la tienda',
    fr: 'Avoir en boutique',
    pt: 'Crédito na loja',
  },
};

/** The name of a payout method in a language; `label` is the English one. */
export function methodName(language: Language, type: string, label: string): string {
  // The gateway of an extension may have its own label for a method of the same type.
  const words = methodWords[type];
  return words && words.en === label ? words[language] : label;
}

export function methodOf(payout: PayoutRow, language: Language): string {
  return methodName(language, payout.method_type, payout.method);
}
