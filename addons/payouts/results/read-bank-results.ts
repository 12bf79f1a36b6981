import { SaxesParser } from 'saxes';
import { payoutOfReference } from '../files/payment-file.ts';
import type { ResultLine } from './result-formats.ts';

const DEPTH_MAX = 40;

/** What a transaction of a report or a statement says. */
type BankTransaction = Omit<ResultLine, 'line' | 'payoutId'>;

class NotReadable extends Error {}

/**
 * Reads a status report (pain.002), a statement (camt.053) or a notification (camt.054) of a bank. Transactions without
 * the reference of a payout are not ours and left out. Returns a text if the file cannot be read.
 */
export function readBankResults(content: string): ResultLine[] | string {
  try {
    return transactionsIn(content)
      .filter(({ reference }) => payoutOfReference(reference) !== undefined)
      .map((transaction, index) => ({
        line: index + 1,
        payoutId: payoutOfReference(transaction.reference),
        ...transaction,
      }));
  } catch (error) {
    if (error instanceof NotReadable) return error.message;
    throw error;
  }
}

/** Elements by the end of their path, such as `Refs/EndToEndId`. */
class Fields {
  readonly #values = new Map<string, string>();

  set(path: string, value: string): void {
    if (!this.#values.has(path)) this.#values.set(path, value);
  }

  /** The first of these that is given; empty if none is. */
  get(...paths: string[]): string {
    return paths.map((path) => this.#values.get(path)).find(Boolean) ?? '';
  }
}

function transactionsIn(content: string): BankTransaction[] {
  const found: BankTransaction[] = [];
  const path: string[] = [];
  let entry = new Fields();
  let details = new Fields();
  let text = '';
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => {
    throw new NotReadable('is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw new NotReadable('has a DOCTYPE, which files of banks do not have');
  });
  parser.on('opentag', ({ local, attributes }) => {
    if (path.length >= DEPTH_MAX) throw new NotReadable('is nested too deeply');
    path.push(local);
    text = '';
    if (local === 'Ntry') entry = new Fields();
    if (local === 'TxDtls' || local === 'TxInfAndSts') details = new Fields();
    const currency = attributes['Ccy']?.value;
    if (currency !== undefined) store(`@${currency}`);
  });
  parser.on('text', (value) => {
    text += value;
  });
  parser.on('closetag', ({ name }) => {
    if (text.trim() !== '') store(text.trim());
    text = '';
    path.pop();
    if (name.endsWith('TxDtls')) found.push(ofStatement(entry, details));
    if (name.endsWith('TxInfAndSts')) found.push(ofReport(details));
  });
  /** The currency of an amount is stored beside it. */
  function store(value: string): void {
    const isCurrency = value.startsWith('@');
    for (const [parent, fields] of [
      ['TxDtls', details],
      ['TxInfAndSts', details],
      ['Ntry', entry],
    ] as const) {
      const at = path.lastIndexOf(parent);
      if (at < 0) continue;
      const key = path.slice(at + 1).join('/');
      fields.set(isCurrency ? `${key}@Ccy` : key, isCurrency ? value.slice(1) : value);
      return;
    }
  }
  parser.write(content).close();
  return found;
}

/** A transaction that was booked to the debit of the account is paid; one that came back is not. */
function ofStatement(entry: Fields, details: Fields): BankTransaction {
  const direction = details.get('CdtDbtInd') || entry.get('CdtDbtInd');
  const isReversal = entry.get('RvslInd') === 'true';
  const isBooked = ['BOOK', ''].includes(entry.get('Sts/Cd', 'Sts'));
  const isPaid = direction === 'DBIT' && !isReversal && isBooked;
  const amounts = ['Amt', 'AmtDtls/TxAmt/Amt', 'AmtDtls/InstdAmt/Amt'];
  const currencies = amounts.map((path) => `${path}@Ccy`);
  return {
    reference: details.get('Refs/EndToEndId', 'Refs/InstrId'),
    amount: details.get(...amounts) || entry.get('Amt'),
    currency: details.get(...currencies) || entry.get('Amt@Ccy'),
    outcome: isPaid ? 'booked' : isBooked ? 'returned' : 'pending',
    isPaid,
    transactionId: details.get('Refs/AcctSvcrRef') || entry.get('AcctSvcrRef'),
  };
}

/** Settlement completed, on the account of the debtor or also of the creditor. */
const settled = new Set(['ACSC', 'ACCC']);

function ofReport(details: Fields): BankTransaction {
  const outcome = details.get('TxSts');
  return {
    reference: details.get('OrgnlEndToEndId', 'OrgnlInstrId'),
    amount: details.get('OrgnlTxRef/Amt/InstdAmt'),
    currency: details.get('OrgnlTxRef/Amt/InstdAmt@Ccy'),
    outcome,
    isPaid: settled.has(outcome),
    transactionId: details.get('AcctSvcrRef'),
  };
}
