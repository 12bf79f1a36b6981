import Type from 'typebox';
import Format from 'typebox/format';
import { compactIban, isIban } from '../../../src/shared/iban.ts';
import { detailsOf, lastOf, type PayoutMethod } from './method.ts';

Format.Set('iban', isIban);

const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$';

const Details = Type.Object(
  {
    account_holder: Type.String({
      minLength: 2,
      maxLength: 140,
      pattern: '\\S',
      description: 'The owner of the account.',
    }),
    iban: Type.Optional(
      Type.String({ format: 'iban', maxLength: 42, description: 'With or without spaces.' }),
    ),
    account_number: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{4,34}$',
        description: 'Required if there is no IBAN.',
      }),
    ),
    bank_code: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{3,20}$',
        description: "Routing number, sort code or the country's equivalent.",
      }),
    ),
    bic: Type.Optional(
      Type.String({ pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$', description: 'BIC or SWIFT.' }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'Country of the bank, two letters (ISO 3166). An IBAN starts with it.',
      }),
    ),
    bank_name: Type.Optional(Type.String({ maxLength: 140, pattern: NO_CONTROL_CHARACTERS })),
    address: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: NO_CONTROL_CHARACTERS,
        description: 'Address of the account holder on one line. Some banks require it.',
      }),
    ),
  },
  {
    additionalProperties: false,
    anyOf: [{ required: ['iban'] }, { required: ['account_number', 'bank_code'] }],
    description: 'An IBAN, or an account number with a bank code.',
  },
);

/** Paid by hand, so there is no gateway. */
export const bankTransfer: PayoutMethod = {
  type: 'banktransfer',
  label: 'Bank transfer',
  details: Details,
  mask(details) {
    const { iban, account_number = '' } = detailsOf(Details, details);
    if (iban === undefined) return lastOf(account_number);
    const compact = compactIban(iban);
    return compact.slice(0, 2) + lastOf(compact);
  },
  gateway: () => undefined,
};
