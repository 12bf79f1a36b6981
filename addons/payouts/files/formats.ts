import { CSV_TYPE as contentType, toCsv } from '../../../src/modules/exports/index.ts';
import { decimalText } from '../gateways/amounts.ts';
import type { FileFormat } from '../tables.ts';
import { referenceOf, type PaymentFormat } from './payment-file.ts';
import { sepaFile } from './sepa-file.ts';

/**
 * A file for PayPal Payouts (Payouts Web). It has no header; the columns are recipient, amount, currency, customer id,
 * note and wallet. PayPal repeats the customer id in its report.
 */
const paypalFile: PaymentFormat = {
  methodType: 'paypal',
  extension: 'csv',
  contentType,
  error({ details }) {
    const { email } = details;
    if (typeof email !== 'string') return 'The destination has no email address.';
    // A spreadsheet would run it, and with an apostrophe before it PayPal would pay to another address.
    return /^[=+\-@]/.test(email)
      ? 'The email address begins with a sign that spreadsheets take for a formula.'
      : undefined;
  },
  write: ({ payments, currency }) =>
    toCsv(
      payments.map(({ payoutId, amount, details }) => [
        String(details['email']),
        decimalText(amount, currency.decimals),
        currency.code,
        referenceOf(payoutId),
        `Payout ${payoutId}`,
        'PAYPAL',
      ]),
    ),
};

const wiseColumns = [
  'recipientId',
  'name',
  'sourceCurrency',
  'targetCurrency',
  'amountCurrency',
  'amount',
  'paymentReference',
];

/** A file for the batch payments of Wise, by the template for saved recipients. */
const wiseFile: PaymentFormat = {
  methodType: 'wise',
  extension: 'csv',
  contentType,
  error: ({ details }) =>
    Number.isSafeInteger(details['target_account'])
      ? undefined
      : 'The destination has no recipient account at Wise.',
  write: ({ payments, currency }) =>
    toCsv([
      wiseColumns,
      ...payments.map(({ payoutId, amount, details, name }) => [
        Number(details['target_account']),
        name,
        currency.code,
        currency.code,
        // The recipient gets this amount; the fee comes on top.
        'target',
        decimalText(amount, currency.decimals),
        referenceOf(payoutId),
      ]),
    ]),
};

const bankColumns = [
  'name',
  'account',
  'bank_code',
  'bank_name',
  'country',
  'amount',
  'currency',
  'reference',
];

/** A table of bank transfers in any currency, for banks that read CSV, and for entering them by hand. */
const bankFile: PaymentFormat = {
  methodType: 'banktransfer',
  extension: 'csv',
  contentType,
  // Each destination has an IBAN, or an account number and a bank code.
  error: () => undefined,
  write: ({ payments, currency }) =>
    toCsv([
      bankColumns,
      ...payments.map(({ payoutId, amount, details }) => [
        details['account_holder'],
        details['iban'] ?? details['account_number'],
        details['bank_code'] ?? details['bic'] ?? '',
        details['bank_name'] ?? '',
        details['country'] ?? '',
        decimalText(amount, currency.decimals),
        currency.code,
        referenceOf(payoutId),
      ]),
    ]),
};

export const formats: Readonly<Record<FileFormat, PaymentFormat>> = {
  sepa: sepaFile,
  bank: bankFile,
  paypal: paypalFile,
  wise: wiseFile,
};
