import Type from 'typebox';
import { defineSetting } from '../../kernel/declare/setting.ts';

export const requireOfAdministrators = defineSetting(
  'accounts.require_two_factor_of_administrators',
  Type.Boolean(),
  false,
  'Administrators without a second factor may only set one up after they have signed in. API keys and ' +
    'application passwords are not affected.',
);
