import type { Language } from '../../../shared/languages.ts';
import type { LineKind } from './statement.ts';

/** The words of a printed statement. `{…}` is replaced. */
export interface StatementWords {
  readonly title: string;
  readonly affiliate: string;
  readonly period: string;
  readonly opening: string;
  readonly closing: string;
  readonly date: string;
  readonly description: string;
  readonly coupon: string;
  /** `{currency}`. */
  readonly amount: string;
  readonly balance: string;
  /** `{page}` and `{pages}`. */
  readonly page: string;
  readonly noLines: string;
  /** What the balance is. */
  readonly note: string;
  /** The sums by kind. */
  readonly totals: Record<LineKind, string>;
  /** The description of a line: `{number}` of the order or payout, `{reason}` of an adjustment. */
  readonly lines: Record<LineKind, string>;
}

export const statementWords: Record<Language, StatementWords> = {
  en: {
    title: 'Statement of account',
    affiliate: 'For',
    period: 'Period',
    opening: 'Opening balance',
    closing: 'Closing balance',
    date: 'Date',
    description: 'Description',
    coupon: 'Code',
    amount: 'Amount ({currency})',
    balance: 'Balance ({currency})',
    page: 'Page {page} of {pages}',
    noLines: 'Nothing changed in this period.',
    note: 'The balance is what the store owes. Commission that is awaiting its order or on hold is not part of it.',
    totals: {
      commission: 'Commission',
      commission_removed: 'Commission taken back',
      adjustment: 'Adjustments',
      payout: 'Paid out',
      payout_returned: 'Payouts returned',
    },
    lines: {
      commission: 'Commission, order {number}',
      commission_removed: 'Commission taken back, order {number}',
      adjustment: 'Adjustment: {reason}',
      payout: 'Payout {number}',
      payout_returned: 'Payout {number} returned',
    },
  },
  de: {
    title: 'Kontoauszug',
    affiliate: 'Für',
    period: 'Zeitraum',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    date: 'Datum',
    description: 'Vorgang',
    coupon: 'Code',
    amount: 'Betrag ({currency})',
    balance: 'Saldo ({currency})',
    page: 'Seite {page} von {pages}',
    noLines: 'In diesem Zeitraum hat sich nichts geändert.',
    note: 'Der Saldo ist, was der Shop Ihnen schuldet. Provisionen, die auf ihre Bestellung warten oder zurückgehalten werden, gehören nicht dazu.',
    totals: {
      commission: 'Provisionen',
      commission_removed: 'Zurückgenommene Provisionen',
      adjustment: 'Korrekturen',
      payout: 'Ausgezahlt',
      payout_returned: 'Zurückgekommene Auszahlungen',
    },
    lines: {
      commission: 'Provision, Bestellung {number}',
      commission_removed: 'Provision zurückgenommen, Bestellung {number}',
      adjustment: 'Korrektur: {reason}',
      payout: 'Auszahlung {number}',
      payout_returned: 'Auszahlung {number} zurückgekommen',
    },
  },
  es: {
    title: 'Extracto de cuenta',
    affiliate: 'Para',
    period: 'Período',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
    date: 'Fecha',
    description: 'Concepto',
    coupon: 'Código',
    amount: 'Importe ({currency})',
    balance: 'Saldo ({currency})',
    page: 'Página {page} de {pages}',
    noLines: 'No hubo movimientos en este período.',
    note: 'El saldo es lo que la tienda te debe. No incluye comisiones pendientes de su pedido ni retenidas.',
    totals: {
      commission: 'Comisiones',
      commission_removed: 'Comisiones retiradas',
      adjustment: 'Ajustes',
      payout: 'Pagado',
      payout_returned: 'Pagos devueltos',
    },
    lines: {
      commission: 'Comisión, pedido {number}',
      commission_removed: 'Comisión retirada, pedido {number}',
      adjustment: 'Ajuste: {reason}',
      payout: 'Pago {number}',
      payout_returned: 'Pago {number} devuelto',
    },
  },
  fr: {
    title: 'Relevé de compte',
    affiliate: 'Pour',
    period: 'Période',
    opening: 'Solde initial',
    closing: 'Solde final',
    date: 'Date',
    description: 'Opération',
    coupon: 'Code',
    amount: 'Montant ({currency})',
    balance: 'Solde ({currency})',
    page: 'Page {page} sur {pages}',
    noLines: 'Aucun mouvement pendant cette période.',
    note: 'Le solde est ce que la boutique vous doit. Il ne comprend ni les commissions en attente de leur commande ni celles qui sont retenues.',
    totals: {
      commission: 'Commissions',
      commission_removed: 'Commissions reprises',
      adjustment: 'Ajustements',
      payout: 'Versé',
      payout_returned: 'Versements retournés',
    },
    lines: {
      commission: 'Commission, commande {number}',
      commission_removed: 'Commission reprise, commande {number}',
      adjustment: 'Ajustement : {reason}',
      payout: 'Versement {number}',
      payout_returned: 'Versement {number} retourné',
    },
  },
  pt: {
    title: 'Extrato de conta',
    affiliate: 'Para',
    period: 'Período',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
    date: 'Data',
    description: 'Descrição',
    coupon: 'Código',
    amount: 'Valor ({currency})',
    balance: 'Saldo ({currency})',
    page: 'Página {page} de {pages}',
    noLines: 'Não houve movimentos neste período.',
    note: 'O saldo é o que a loja lhe deve. Não inclui comissões à espera da encomenda nem retidas.',
    totals: {
      commission: 'Comissões',
      commission_removed: 'Comissões retiradas',
      adjustment: 'Ajustes',
      payout: 'Pago',
      payout_returned: 'Pagamentos devolvidos',
    },
    lines: {
      commission: 'Comissão, encomenda {number}',
      commission_removed: 'Comissão retirada, encomenda {number}',
      adjustment: 'Ajuste: {reason}',
      payout: 'Pagamento {number}',
      payout_returned: 'Pagamento {number} devolvido',
    },
  },
};
