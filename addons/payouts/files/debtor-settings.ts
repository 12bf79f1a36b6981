import Type from 'typebox';
import { defineSetting, inGroup } from '../../../src/kernel/declare/setting.ts';
import { isIban } from '../../../src/shared/iban.ts';
import { sepaText } from './sepa-text.ts';

/** Not manager settings: they decide which account pays. */
export const debtorName = defineSetting(
  'payouts.debtor_name',
  Type.String({ maxLength: 70 }),
  '',
  'Name of the account holder that pays bank transfers, for SEPA files.',
  (name) =>
    name === '' || sepaText(name, 70) !== ''
      ? undefined
      : 'must have letters of the Latin alphabet',
);

export const debtorIban = defineSetting(
  'payouts.debtor_iban',
  Type.String({ maxLength: 42 }),
  '',
  'IBAN of the account that pays bank transfers, for SEPA files.',
  (iban) => (iban === '' || isIban(iban) ? undefined : 'must be an IBAN'),
);

export const debtorBic = defineSetting(
  'payouts.debtor_bic',
  Type.String({ pattern: '^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$' }),
  '',
  'BIC of the bank that pays bank transfers; most banks do not need it.',
);

export const debtorSettings = inGroup(
  { name: 'bank-files', title: 'Bank files', position: 75 },
  {
    'Account holder that pays': debtorName,
    'IBAN that pays': debtorIban,
    'BIC of the bank': debtorBic,
  },
);
