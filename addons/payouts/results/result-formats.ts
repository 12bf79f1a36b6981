import { payoutOfReference } from '../files/payment-file.ts';

export const resultFormats = ['csv', 'paypal', 'wise', 'sepa'] as const;
export type ResultFormat = (typeof resultFormats)[number];
/** The formats that are CSV. */
export type TableFormat = Exclude<ResultFormat, 'sepa'>;

/** One payment of a file with results, as it is written there. */
export interface ResultLine {
  /** The number of the line after the header, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly payoutId: number | undefined;
  readonly amount: string;
  /** Empty if the file has no such column. */
  readonly currency: string;
  readonly outcome: string;
  readonly isPaid: boolean;
  readonly transactionId: string;
}

type Field = 'reference' | 'amount' | 'currency' | 'outcome' | 'transaction';

/** How a format names its columns, in lower case and without spaces and signs, and what it calls a paid payment. */
interface ResultColumns {
  readonly columns: Readonly<Record<Field, readonly string[]>>;
  readonly required: readonly Field[];
  readonly paid: ReadonlySet<string>;
  /** The payout that the reference of a line names. */
  payoutOf(reference: string): number | undefined;
}

/** Our own format also takes the bare number of the payout. */
function payoutByNumber(reference: string): number | undefined {
  return /^\d{1,15}$/.test(reference) ? Number(reference) : payoutOfReference(reference);
}

export const resultColumns: Readonly<Record<TableFormat, ResultColumns>> = {
  csv: {
    columns: {
      reference: ['payoutid', 'payout', 'reference'],
      amount: ['amount'],
      currency: ['currency'],
      outcome: ['outcome', 'status'],
      transaction: ['transactionid', 'transaction'],
    },
    required: ['reference', 'amount', 'outcome'],
    paid: new Set(['paid']),
    payoutOf: payoutByNumber,
  },
  // The report of a batch that PayPal Payouts offers for download.
  paypal: {
    columns: {
      reference: ['customerid', 'uniqueid', 'senderitemid', 'referenceid', 'uniqueidentifier'],
      amount: ['amount', 'grossamount', 'paymentamount', 'payoutamount'],
      currency: ['currency', 'currencycode', 'payoutcurrency'],
      outcome: ['status', 'transactionstatus', 'paymentstatus', 'payoutstatus'],
      transaction: ['transactionid', 'payoutitemid', 'payouttransactionid'],
    },
    required: ['reference', 'amount', 'outcome'],
    paid: new Set(['completed', 'success', 'paid']),
    payoutOf: payoutOfReference,
  },
  // The transfers of a batch, as Wise exports them.
  wise: {
    columns: {
      reference: ['paymentreference', 'reference'],
      amount: ['targetamount', 'amount', 'targetamountafterfees'],
      currency: ['targetcurrency', 'currency'],
      outcome: ['status', 'transferstatus'],
      transaction: ['transferid', 'id', 'transferwiseid', 'wiseid'],
    },
    required: ['reference', 'amount', 'outcome'],
    paid: new Set(['completed', 'outgoingpaymentsent', 'sent', 'paid', 'fundssent']),
    payoutOf: payoutOfReference,
  },
};

/** `Transaction ID` and `transaction_id` are the same column. */
export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
