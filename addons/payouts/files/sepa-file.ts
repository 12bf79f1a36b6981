import { compactIban, isIban } from '../../../src/shared/iban.ts';
import { decimalText } from '../gateways/amounts.ts';
import { referenceOf, type Debtor, type Payment, type PaymentFormat } from './payment-file.ts';
import { sepaText } from './sepa-text.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** The rules of SEPA allow fewer characters than the schema does. */
const NAME_MAX = 70;
const EURO_CENTS_MAX = 99_999_999_999;

/** A SEPA credit transfer for the bank of the store: ISO 20022 pain.001.001.09. */
export const sepaFile: PaymentFormat = {
  methodType: 'banktransfer',
  extension: 'xml',
  contentType: 'application/xml; charset=utf-8',
  error({ details, amount }) {
    const { iban, account_holder } = details;
    if (typeof iban !== 'string' || !isIban(iban)) return 'The destination has no IBAN.';
    if (sepaText(String(account_holder), NAME_MAX) === '') {
      return 'The name of the account holder has no Latin letters.';
    }
    return amount > EURO_CENTS_MAX ? 'The amount is too large for a SEPA transfer.' : undefined;
  },
  write({ payments, debtor, messageId, at, day }) {
    const sum = decimalText(
      payments.reduce((total, { amount }) => total + amount, 0),
      2,
    );
    const count = String(payments.length);
    const name = sepaText(debtor.name, NAME_MAX);
    const document = tag('CstmrCdtTrfInitn', [
      tag('GrpHdr', [
        tag('MsgId', messageId),
        tag('CreDtTm', at),
        tag('NbOfTxs', count),
        tag('CtrlSum', sum),
        tag('InitgPty', [tag('Nm', name)]),
      ]),
      tag('PmtInf', [
        tag('PmtInfId', messageId),
        tag('PmtMtd', 'TRF'),
        tag('BtchBookg', 'true'),
        tag('NbOfTxs', count),
        tag('CtrlSum', sum),
        tag('PmtTpInf', [tag('SvcLvl', [tag('Cd', 'SEPA')])]),
        tag('ReqdExctnDt', [tag('Dt', day)]),
        tag('Dbtr', [tag('Nm', name)]),
        tag('DbtrAcct', [accountId(debtor.iban)]),
        tag('DbtrAgt', [institutionOf(debtor)]),
        tag('ChrgBr', 'SLEV'),
        ...payments.map(transfer),
      ]),
    ]);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${document}</Document>\n`;
  },
};

function transfer({ payoutId, amount, details }: Payment): string {
  const reference = referenceOf(payoutId);
  const bic = details['bic'];
  return tag('CdtTrfTxInf', [
    tag('PmtId', [tag('InstrId', reference), tag('EndToEndId', reference)]),
    tag('Amt', [`<InstdAmt Ccy="EUR">${decimalText(amount, 2)}</InstdAmt>`]),
    ...(typeof bic === 'string' ? [tag('CdtrAgt', [institution(bic)])] : []),
    tag('Cdtr', [tag('Nm', sepaText(String(details['account_holder']), NAME_MAX))]),
    tag('CdtrAcct', [accountId(String(details['iban']))]),
    tag('RmtInf', [tag('Ustrd', reference)]),
  ]);
}

function accountId(iban: string): string {
  return tag('Id', [tag('IBAN', compactIban(iban))]);
}

function institution(bic: string): string {
  return tag('FinInstnId', [tag('BICFI', bic)]);
}

/** The debtor's bank must be named; the rules of SEPA have a word for a bank without a BIC. */
function institutionOf({ bic }: Debtor): string {
  if (bic !== '') return institution(bic);
  return tag('FinInstnId', [tag('Othr', [tag('Id', 'NOTPROVIDED')])]);
}

/** Texts have no characters that XML would need to escape: see `sepaText`. */
function tag(name: string, content: string | readonly string[]): string {
  return `<${name}>${typeof content === 'string' ? content : content.join('')}</${name}>`;
}
